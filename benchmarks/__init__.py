"""Programs that measure relspan. Timings are of one thread: set before NumPy is loaded, for children too."""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
