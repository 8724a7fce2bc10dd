const dayMs = 86_400_000

/** Spans of the past on which a trigger is tried, in ms. */
export const trialSpans = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs } as const
export type TrialSpan = keyof typeof trialSpans
export const spanNames: readonly TrialSpan[] = ['day', 'week', 'month']
