"""`python -m pitboss` is the command line."""

import sys

from pitboss.cli import main

sys.exit(main())
