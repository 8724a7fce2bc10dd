/** The last problems that were not worth a person's attention, newest last; for a support report. */
const problems: { at: Date; message: string; cause: unknown }[] = []
const mostProblems = 50

/** Note a failure that the portal goes on after. */
export function reportProblem(message: string, cause: unknown) {
  problems.push({ at: new Date(), message, cause })
  problems.splice(0, Math.max(0, problems.length - mostProblems))
}
