/** Names of severities, worst first. */
export const severityNames = ['critical', 'high', 'medium', 'low', 'info'] as const
export type SeverityName = (typeof severityNames)[number]

/** Severities of each name; a greater one is worse. */
export const severitiesOf: Readonly<Record<SeverityName, readonly number[]>> = {
  critical: [6],
  high: [5],
  medium: [3, 4],
  low: [1, 2],
  info: [0],
}

/** Name of a severity; devices may send any number. */
export function severityName(severity: number): SeverityName {
  if (severity >= 6) return 'critical'
  if (severity === 5) return 'high'
  if (severity >= 3) return 'medium'
  return severity >= 1 ? 'low' : 'info'
}

/** Count of the severities of a name in counts by severity, 0 to 6. */
export const countOf = (counts: readonly number[], name: SeverityName) =>
  severitiesOf[name].reduce((sum, severity) => sum + (counts[severity] ?? 0), 0)
