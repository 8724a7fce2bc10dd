import { type SeverityName, severityName, severityNames } from './severity.ts'

/** Sound of new alarms, as a person chose it in this browser. */
export type SoundChoice = {
  on: boolean
  severities: readonly SeverityName[]
  /** Silent until this time in ms since 1970; 0: not muted. */
  mutedUntil: number
}
export const noSound: SoundChoice = {
  on: false,
  severities: ['critical', 'high'],
  mutedUntil: 0,
}

/** Time of a mute, and the silence after which alarms are no longer of the same burst. */
export const [muteMs, burstMs] = [600_000, 60_000]

/** Burst of new alarms: one sound, and another one only for a worse severity. */
export type Burst = { until: number; worst: SeverityName }
type Fresh = { severity: number }

const isWorse = (one: SeverityName, other: SeverityName) =>
  severityNames.indexOf(one) < severityNames.indexOf(other)

/** Sound of alarms that are new, and the burst that they belong to afterwards. */
export function soundOf(
  { on, severities, mutedUntil }: SoundChoice,
  fresh: readonly Fresh[],
  before: Burst | undefined,
  now: number,
): { play: SeverityName | undefined; burst: Burst | undefined } {
  const names = fresh.map(({ severity }) => severityName(severity))
  const worst = severityNames.find((name) => severities.includes(name) && names.includes(name))
  if (!on || worst === undefined) return { play: undefined, burst: before }
  const running = before !== undefined && before.until > now ? before : undefined
  const isNew = running === undefined || isWorse(worst, running.worst)
  const burst = { until: now + burstMs, worst: isNew ? worst : running.worst }
  return { play: isNew && now >= mutedUntil ? worst : undefined, burst }
}

/** Tones of a severity: frequency in Hz, beginning and length in s. */
export const tonesOf: Readonly<
  Record<SeverityName, readonly (readonly [number, number, number])[]>
> = {
  critical: [
    [988, 0, 0.16],
    [784, 0.2, 0.16],
    [988, 0.4, 0.16],
    [784, 0.6, 0.16],
    [988, 0.8, 0.3],
  ],
  high: [
    [880, 0, 0.18],
    [880, 0.26, 0.18],
    [880, 0.52, 0.3],
  ],
  medium: [
    [660, 0, 0.2],
    [660, 0.3, 0.3],
  ],
  low: [[523, 0, 0.35]],
  info: [[440, 0, 0.25]],
}
