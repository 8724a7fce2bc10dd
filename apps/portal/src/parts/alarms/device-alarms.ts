/** Open alarms of a device: how many, and the severity of the worst. */
export type DeviceAlarms = { total: number; worst: number }

/** Open alarms of a device by its attributes `alarms.n_active_0` to `_6`; undefined without any. */
export function deviceAlarms(attributes: Readonly<Record<string, unknown>>) {
  const counts = attributes['alarms']
  if (typeof counts !== 'object' || counts === null) return undefined
  const found: DeviceAlarms = { total: 0, worst: 0 }
  for (const [name, count] of Object.entries(counts)) {
    const severity = /^n_active_([0-6])$/.exec(name)?.[1]
    if (severity === undefined || typeof count !== 'number' || count <= 0) continue
    found.total += count
    found.worst = Math.max(found.worst, Number(severity))
  }
  return found.total > 0 ? found : undefined
}

/** True for an attribute that follows the alarms of a device. */
export const isOfAlarms = (name: string) => name === 'alarms' || name === 'alarms_max_severity'
