/** Texts of messages with `{placeholders}`. */
export type Words = {
  /** Names of the severities 0 to 6. */
  severities: readonly string[]
  one: string
  many: string
  /** The same for alarms on several devices. */
  manyDevices: string
  over: string
  manyOver: string
  unacknowledged: string
  more: string
  moreText: string
  test: string
  testText: string
  onCall: string
  onCallText: string
  nobodyOnCall: string
  offCall: string
  offCallText: string
  offCallNobody: string
  gap: string
  gapText: string
  gapOpenText: string
  removedText: string
  note: string
  openAlarms: string
  digest: string
  night: string
  failed: string
  failedText: string
  device: string
  since: string
  overSince: string
  value: string
  limit: string
  consequence: string
  response: string
  respondBy: string
  andMore: string
  open: string
  why: string
  repeated: string
  triggerStopped: string
  /** Reasons for which a trigger does not run, by their code. */
  stopped: Readonly<Record<string, string>>
  resume: string
  openTriggers: string
}
