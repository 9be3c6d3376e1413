"""`make figures`: calculate the shipped figures and write them into the package."""

import os
import shutil
import sys
import tempfile

from pitboss.cache import SHIPPED
from pitboss.report.mathematics import calculate_figures

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["PITBOSS_CACHE"] = cache
        files = calculate_figures()
    shutil.rmtree(SHIPPED, ignore_errors=True)
    SHIPPED.mkdir()
    for name, body in files.items():
        (SHIPPED / name).write_bytes(body)
    sys.stdout.write(f"Wrote {len(files)} files to {SHIPPED.relative_to(SHIPPED.parents[2])}.\n")
