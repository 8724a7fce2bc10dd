import { api } from '../../parts/api/api.ts'
import {
  type Figure,
  firstTime,
  gradesOf,
  type HistoryLine,
  type PlatformTags,
  pointsOf,
  type Source,
  textLine,
} from '../../parts/history/history.ts'
import { type Resolution, stepsOf } from '../../parts/history/resolution.ts'
import type { TimeWindow } from '@longreach/ui/time-range'

/** An expression, and what each of its names stands for. */
type FormulaAsked = { text: string; inputs: readonly { name: string; source: Source }[] }
type Asked = { window: TimeWindow; resolution: Resolution; figure: Figure; zone: string }
/** Results of a formula over time; `type` is the kind of its values. */
export type FormulaHistory = HistoryLine & { type: string }

/**
 * The values of a formula: at every time at which one of its inputs has a value, or one for each
 * bucket; an input without a value of its own goes on with its last.
 */
export async function fetchFormula(
  org: string,
  { text, inputs }: FormulaAsked,
  { window, resolution, figure, zone }: Asked,
  signal: AbortSignal,
): Promise<FormulaHistory> {
  const { timezone, ...steps } =
    resolution === 'raw'
      ? { timezone: undefined }
      : { timezone: undefined, ...stepsOf(resolution, zone) }
  const missingValues = {
    fillPolicy: 'EXTEND_LAST_VALUE',
    paddingPolicy: 'SEARCH_OR_NULL',
  } as const
  // Without a figure numbers are averaged, and of others the last counts.
  const aggregation = resolution === 'raw' || figure === 'average' ? {} : { aggregation: figure }
  const body = {
    sources: inputs.map(({ name: tagName, source: { device: deviceId, path: modelPath } }) => ({
      deviceId,
      modelPath,
      tagName,
    })),
    since: firstTime(window, resolution, zone),
    to: Math.min(window.to, Date.now() + 1),
    alignment: { ...steps, ...aggregation, missingValues },
    functions: { formula: { map: text } },
    quality: true,
    ...(timezone !== undefined && { timezone }),
  }
  const [answer] = await api.platform.queryTags({ params: { org }, body }, { signal })
  return lineOf(answer)
}

function lineOf(answer: PlatformTags | undefined): FormulaHistory {
  const type = answer?.types[1] ?? 'double'
  if (type === 'string') return { ...textLine(answer), type }
  const points = pointsOf(answer)
  return {
    times: points.map(([at]) => at),
    values: points.map(([, value]) => value),
    ...gradesOf(answer),
    type,
  }
}
