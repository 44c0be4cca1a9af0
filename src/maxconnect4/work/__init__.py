"""Work for many processes: on this machine, or on a Dask cluster. What is done is not known here: a job names it."""
