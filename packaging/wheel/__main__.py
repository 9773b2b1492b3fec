from . import run_reprise

run_reprise()
