"""Prints a software bill of materials (CycloneDX 1.6, JSON): the libraries that are linked into the program.

Usage: package_sbom.py VERSION ONNX_VERSION SECONDS_OF_THE_COMMIT
       package_sbom.py --packages     prints only the names of the libraries, each with Debian's package
       package_sbom.py --check MAP    fails if the linker's map names a library of Debian that the list lacks
The versions of Debian's packages are those that are installed here. The same input gives the same text.
"""

from __future__ import annotations

import re
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from importlib.metadata import version as installed_version
from pathlib import Path

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

# The libraries, the packages of Debian that have them, and their licenses. Some consist of headers only.
LINKED = {
    "protobuf": ("libprotobuf-dev", "BSD-3-Clause"),
    "fmt": ("libfmt-dev", "MIT"),
    "boost": ("libboost1.74-dev", "BSL-1.0"),
    "CLI11": ("libcli11-dev", "BSD-3-Clause"),
    "nlohmann-json": ("nlohmann-json3-dev", "MIT"),
    "pugixml": ("libpugixml-dev", "MIT"),
    "openssl": ("libssl-dev", "Apache-2.0"),
    "zlib": ("zlib1g-dev", "Zlib"),
    "libstdc++": ("libstdc++-12-dev", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "libgcc": ("libgcc-12-dev", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "glibc": ("libc6-dev", "LGPL-2.1-or-later"),  # only what starts a program; its license excepts programs that link it
}


def unlisted(link_map: str) -> list[str]:
    """The packages whose archives and object files were linked, and that LINKED lacks."""
    loaded = set(re.findall(r"^LOAD (/usr/\S+\.[ao])$", link_map, re.MULTILINE))
    if not loaded:
        sys.exit("this is not a map of GNU ld, or nothing was linked")
    packages = set()
    for file in sorted({str(Path(path).resolve()) for path in loaded}):
        query = ["dpkg-query", "--search", file]
        result = subprocess.run(query, stdout=subprocess.PIPE, text=True)
        packages.add(result.stdout.split(":")[0] if result.returncode == 0 else file)
    return sorted(packages - {package for package, _ in LINKED.values()})


def debian_component(name: str, package: str, license_text: str) -> Component:
    """The version is that of the library. The purl names Debian's source package, as Debian's security advisories do."""
    query = ["dpkg-query", "--show", "--showformat", "${source:Package} ${source:Version}\n", package]
    result = subprocess.run(query, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"Debian's package {package} is not installed")
    source, debian_version = result.stdout.splitlines()[0].split()
    upstream = re.sub(r"^\d+:|-[^-]*$", "", debian_version)
    version = re.sub(r"[+.](ds|dfsg)\d*$", "", upstream)
    purl = PackageURL("deb", "debian", source, debian_version, {"arch": "source", "distro": "bookworm"})
    return component(name, version, license_text, purl)


def component(name: str, version: str, license_text: str, purl: PackageURL) -> Component:
    return Component(
        type=ComponentType.LIBRARY,
        name=name,
        version=version,
        licenses=[LicenseFactory().make_from_string(license_text)],
        purl=purl,
        bom_ref=name,
    )


def main(version: str, onnx_version: str, timestamp: int) -> str:
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"touchstone-{version}-{timestamp}"))
    bom.metadata.timestamp = datetime.fromtimestamp(timestamp, timezone.utc)
    license_text = LicenseFactory().make_from_string("Apache-2.0")
    program = Component(
        type=ComponentType.APPLICATION, name="touchstone", version=version, licenses=[license_text], bom_ref="touchstone"
    )
    bom.metadata.component = program
    components = [debian_component(name, *source) for name, source in LINKED.items()]
    # Start code of older versions of glibc, which Zig has.
    zig = PackageURL("pypi", None, "ziglang", installed_version("ziglang"))
    components.append(component("zig", zig.version, "MIT AND LGPL-2.1-or-later", zig))
    components.append(component("onnx", onnx_version, "Apache-2.0", PackageURL("pypi", None, "onnx", onnx_version)))
    for one in components:
        bom.components.add(one)
    bom.register_dependency(program, components)
    return JsonV1Dot6(bom).output_as_string(indent=2)


if __name__ == "__main__":
    if sys.argv[1:] == ["--packages"]:
        print("\n".join(f"{name} {package}" for name, (package, _) in LINKED.items()))
    elif len(sys.argv) == 3 and sys.argv[1] == "--check":
        if found := unlisted(Path(sys.argv[2]).read_text()):
            sys.exit(f"linked, but not in the list of tools/package_sbom.py: {', '.join(found)}")
    elif len(sys.argv) != 4:
        sys.exit(__doc__)
    else:
        print(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
