"""Prints a software bill of materials (CycloneDX 1.6, JSON): the libraries that are linked into the program.

Usage: package_sbom.py VERSION ONNX_VERSION SECONDS_OF_THE_COMMIT
       package_sbom.py --packages     prints the names of Debian's packages only
The versions of Debian's packages are those that are installed here. The same input gives the same text.
"""

from __future__ import annotations

import subprocess
import sys
import uuid
from datetime import datetime, timezone

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

# Debian's package, and the license of the library.
LINKED = {
    "libprotobuf-dev": "BSD-3-Clause",
    "libfmt-dev": "MIT",
    "libboost-dev": "BSL-1.0",
    "libcli11-dev": "BSD-3-Clause",
    "nlohmann-json3-dev": "MIT",
    "libpugixml-dev": "MIT",
    "libssl-dev": "Apache-2.0",
    "libstdc++-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
}


def debian_component(package: str, license_text: str) -> Component:
    native = subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()
    query = ["dpkg-query", "--show", "--showformat", "${Architecture} ${Version}\n", package]
    for line in subprocess.check_output(query, text=True).splitlines():
        architecture, version = line.split()
        if architecture in (native, "all"):
            purl = PackageURL("deb", "debian", package, version, {"arch": architecture})
            return component(package, version, license_text, purl)
    sys.exit(f"Debian's package {package} is not installed")


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
    components = [debian_component(package, license_text) for package, license_text in LINKED.items()]
    components.append(component("onnx", onnx_version, "Apache-2.0", PackageURL("pypi", None, "onnx", onnx_version)))
    for one in components:
        bom.components.add(one)
    bom.register_dependency(program, components)
    return JsonV1Dot6(bom).output_as_string(indent=2)


if __name__ == "__main__":
    if sys.argv[1:] == ["--packages"]:
        print("\n".join(LINKED))
    elif len(sys.argv) != 4:
        sys.exit(__doc__)
    else:
        print(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
