"""The notices name everything that is bundled, with its version."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUNDLED = {"Svelte": "svelte", "clsx": "clsx", "openapi-fetch": "openapi-fetch", "Vite": "vite"}


def test_the_notices_name_the_bundled_versions() -> None:
    rows = re.findall(r"^\| ([\w-]+).*? \| ([\d.]+) \| (\w+) \|", (ROOT / "NOTICE.md").read_text("utf-8"), re.MULTILINE)
    locked = json.loads((ROOT / "ui" / "package-lock.json").read_text("utf-8"))["packages"]
    assert {name for name, _, _ in rows} == BUNDLED.keys()
    for name, version, licence in rows:
        package = locked[f"node_modules/{BUNDLED[name]}"]
        assert (version, licence) == (package["version"], package["license"])


def test_the_front_end_has_no_dependency_without_a_notice() -> None:
    """Those are bundled or build the front end; another one could be bundled, and would need a notice."""
    package = json.loads((ROOT / "ui" / "package.json").read_text("utf-8"))
    assert package["dependencies"].keys() == {"@sveltejs/vite-plugin-svelte", "openapi-fetch", "svelte", "vite"}
