"""`python -m pitboss`."""

import sys

from pitboss.cli import main

sys.exit(main())
