from __future__ import annotations

from collections.abc import Iterator

import pytest

from host import Host


@pytest.fixture(autouse=True)
def no_worker_lives_longer_than_its_test() -> Iterator[None]:
    yield
    for host in list(Host.living):
        host.end()
