"""An engine that runs nothing: it keeps the jobs that it gets and answers with the runs that a test gave it."""

from __future__ import annotations

from collections.abc import Sequence

from verifiers.code.engine.protocol import Job, Report, Run


class ScriptedEngine:
    """See above."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []
        self.runs: list[Run] = []
        self.heard: list[bool] = []

    def run(self, jobs: Sequence[Job]) -> list[Report]:
        """One report per job, of the next runs."""
        self.jobs = list(jobs)
        runs = iter(self.runs)
        reports = [Report(tuple(next(runs) for _ in range(job.size)), "scripted") for job in jobs]
        self.heard = [
            job.go_on(position, run)
            for job, report in zip(jobs, reports, strict=True)
            for position, run in enumerate(report.runs)
            if job.go_on is not None
        ]
        return reports


ENGINE = ScriptedEngine()
