/** Open alarms of a device: how many, and the severity of the worst. */
export type DeviceAlarms = { total: number; worst: number }

/** Open alarms of a device by its attributes `alarms.n_active_0` to `_6`; undefined without any. */
export function deviceAlarms(attributes: Readonly<Record<string, unknown>>) {
  const counts = attributes['alarms']
  if (typeof counts !== 'object' || counts === null) return undefined
  const bySeverity = Object.entries(counts).flatMap(([name, count]) => {
    const severity = /^n_active_([0-6])$/.exec(name)?.[1]
    return severity === undefined || typeof count !== 'number'
      ? []
      : [{ severity: Number(severity), count }]
  })
  return totalOf(bySeverity)
}

/** Open alarms of a device by its counts of each severity; undefined without any. */
export function totalOf(counts: readonly { severity: number; count: number }[]) {
  const found: DeviceAlarms = { total: 0, worst: 0 }
  for (const { severity, count } of counts) {
    if (count <= 0) continue
    found.total += count
    found.worst = Math.max(found.worst, severity)
  }
  return found.total > 0 ? found : undefined
}

/** True for an attribute that follows the alarms of a device. */
export const isOfAlarms = (name: string) => name === 'alarms' || name === 'alarms_max_severity'
