"""``python -m chancemeter``."""

import sys

from chancemeter.cli import main

sys.exit(main())
