import { Tag, type Tone } from '@longreach/ui/StatusDot'
import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import type { ModelChange } from './model-calls.ts'
import classes from './models.module.css'

const tones: Record<ModelChange['weight'], Tone> = {
  major: 'alarm',
  minor: 'warning',
  patch: 'info',
}
const order = ['major', 'minor', 'patch']

/** List of the differences between two versions, the most severe first. */
export function ChangesList({ changes }: { changes: readonly ModelChange[] }) {
  const t = useWords()
  const findWords = useOptionalWords()
  const sorted = changes.toSorted((a, b) => order.indexOf(a.weight) - order.indexOf(b.weight))
  return (
    <ul className={classes.plainList}>
      {sorted.map(({ path, kind, from, to, weight }) => (
        <li key={`${path} ${kind}`} className={classes.listLine}>
          <Tag tone={tones[weight]}>{t(`models.weight.${weight}`)}</Tag>
          <code>{path === '' ? t('models.model') : path}</code>
          <span>{findWords(`models.change.${kind}`) ?? kind}</span>
          <span className={classes.dim}>{between(from, to)}</span>
        </li>
      ))}
    </ul>
  )
}

function between(from: unknown, to: unknown) {
  const [before, after] = [modelValueText(from), modelValueText(to)]
  return before === '' && after === '' ? '' : `${before || '—'} → ${after || '—'}`
}
const modelValueText = (value: unknown) => {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
