import { evaluate } from '@longreach/formula/evaluate'
import { parseFormula } from '@longreach/formula/parse'
import { useWords } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import { FormulaEditor } from '../../parts/formulas/FormulaEditor.tsx'
import { bindingOf, compute } from './bind-rules.ts'
import { FormulaTime } from './FormulaTime.tsx'
import { nodeAt, type Row, sourceOf } from './preset-tree-rules.ts'
import classes from './presets.module.css'
import type { Editor } from './use-editor.ts'

type Props = { editor: Editor; row: Row; formula: string }

/** The formula of a value, and what it gives for the newest values of the device. */
export function FormulaField({ editor, row, formula }: Props) {
  const t = useWords()
  const { draft, model, values, device, locked, deviceId } = editor
  const paths = useMemo(
    () =>
      values
        .filter((one) => one.path !== row.path && bindingOf(draft.data, one) !== undefined)
        .map(({ path }) => path),
    [values, draft.data, row.path],
  )
  const newest = useMemo(
    () =>
      new Map(
        values.flatMap((one) => {
          const source = sourceOf(nodeAt(draft.data, one.keys))
          const last = source === undefined ? undefined : device.values.get(source)?.last
          return last ? [[one.path, last.value] as const] : []
        }),
      ),
    [values, draft.data, device.values],
  )
  const newestAt = useMemo(
    () => Math.max(0, ...[...device.values.values()].map(({ last }) => last?.at ?? 0)),
    [device.values],
  )
  const parsed = useMemo(() => parseFormula(formula), [formula])
  const result = parsed.ok ? evaluate(parsed.formula, newest, { t: newestAt }) : null
  return (
    <div className={classes.stack}>
      <FormulaEditor
        label={t('presets.formula')}
        value={formula}
        paths={paths}
        locked={locked}
        onChange={(text) =>
          editor.change(compute(draft.data, model, row, text), `formula ${row.path}`)
        }
      />
      {deviceId !== undefined && (
        <p className={classes.bar} role="status">
          {t('presets.result')} <output>{result === null ? '—' : String(result)}</output>
        </p>
      )}
      <FormulaTime editor={editor} row={row} />
    </div>
  )
}
