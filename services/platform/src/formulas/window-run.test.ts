import { usualMissing } from '@longreach/formula/missing'
import { parseFormula } from '@longreach/formula/parse'
import type { FormulaWindows } from '@longreach/formula/windows'
import { expect, test } from 'vitest'
import { WindowRun } from './window-run.ts'

const minute = 60_000
const sampled = { sampling: { size: 1, unit: 'minutes' as const } }
const over = (mode: 'SCALAR' | 'MOVING'): FormulaWindows => ({
  ...sampled,
  window: { mode, figure: { name: 'sum' }, span: { size: 2, unit: 'minutes' } },
})

/** Results of `a` over windows: six values, one each half minute, of which the third is bad. */
function qualities(windows: FormulaWindows) {
  const parsed = parseFormula('a')
  if (!parsed.ok) throw new Error('a is a formula')
  const run = new WindowRun({ formula: parsed.formula, missing: usualMissing, windows })
  const rows = [0, 0, 2, 0, 0, 0].flatMap((q, index) =>
    run.take({ t: index * (minute / 2), values: [1], fresh: [true], q }),
  )
  return [...rows, ...run.until(10 * minute)].map(({ t, q }) => [t / minute, q])
}

test('a result is as good as the worst value that went into it', () => {
  expect(qualities(sampled)).toEqual([
    [0, 0],
    [1, 2],
    [2, 0],
  ])
  expect(qualities(over('SCALAR'))).toEqual([
    [0, 2],
    [2, 0],
  ])
  expect(qualities(over('MOVING'))).toEqual([
    [0, 0],
    [1, 2],
    [2, 2],
  ])
})
