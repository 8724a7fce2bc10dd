import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { formulaOf, type Leaf, sourceOf } from './preset-tree-rules.ts'
import type { Trial } from './preset-calls.ts'
import { NamedValue } from './NamedValue.tsx'
import classes from './ChangesList.module.css'
import type { NameOf } from './value-names.ts'

type Change = Trial['changes'][number]
const mostChanges = 200

/** List of the changes to be saved: value, changed setting, old and new content. */
export function ChangesList({ changes, nameOf }: { changes: readonly Change[]; nameOf: NameOf }) {
  const t = useWords()
  const findWords = useOptionalWords()
  if (changes.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
    <ul className={classes.changes} aria-label={t('presets.changes')} tabIndex={0}>
      {changes.slice(0, mostChanges).map((change) => (
        <li key={`${change.path} ${change.kind}`}>
          <span>
            <NamedValue value={nameOf(change.path)} /> {t(`presets.change.${change.kind}`)}
          </span>
          {change.values.map(({ key, from, to }) => (
            <small key={key}>
              {t('presets.changeOf', {
                what: findWords(`presets.part.${key}`) ?? key,
                from: changedValueText(key, from),
                to: changedValueText(key, to),
              })}
            </small>
          ))}
        </li>
      ))}
      {changes.length > mostChanges && (
        <li>{t('presets.moreChanges', { count: changes.length - mostChanges })}</li>
      )}
    </ul>
  )
}

/** A link by its tag or formula, everything else as it stands in the preset. */
function changedValueText(key: string, value: unknown): string {
  if (value === null || value === undefined) return '—'
  if (typeof value !== 'object') return String(value)
  const leaf: Leaf = key === 'datalink' ? { datalink: value } : {}
  return sourceOf(leaf) ?? (formulaOf(leaf) || JSON.stringify(value))
}
