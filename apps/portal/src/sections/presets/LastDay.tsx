import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Sparkline } from '@longreach/ui/Sparkline'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import type { TrialLeaf } from './preset-calls.ts'
import type { Row } from './preset-tree-rules.ts'
import shared from './presets.module.css'
import classes from './LastDay.module.css'
import { TagSampling } from './TagSampling.tsx'
import type { Editor } from './use-editor.ts'

/** Trial over the last 24 hours: the number of values that would have been stored, and their course. */
export function LastDay({ editor, row }: { editor: Editor; row: Row }) {
  const t = useWords()
  const { trial, deviceId } = editor
  if (deviceId === undefined) return <p className={shared.dim}>{t('presets.trialDevice')}</p>
  const leaf = leafOf(trial.data?.leaves ?? [], row)
  if (!leaf) return null
  return (
    <section className={shared.stack} aria-label={t('presets.lastDay')}>
      <h3 className={classes.subtitle}>{t('presets.lastDay')}</h3>
      {leaf.after && leaf.missing === null && <Figures leaf={leaf} />}
      <TagSampling editor={editor} leaf={leaf} />
    </section>
  )
}

/** A row inside of arrays shows its first item. */
const leafOf = (leaves: readonly TrialLeaf[], { path }: Row) => {
  const end = `/${path.replaceAll('[*]', '[0]')}`
  return leaves.find((leaf) => leaf.path.replace(/^[^/]*/, '') === end)
}

function Figures({ leaf: { before, after, refused = 0, line = [] } }: { leaf: TrialLeaf }) {
  const t = useWords()
  const intl = useIntl()
  const number = (value: number | null | undefined) =>
    value === null || value === undefined
      ? '—'
      : intl.formatNumber(value, { maximumSignificantDigits: 5 })
  return (
    <>
      <Sparkline
        times={line.map(([at]) => at)}
        values={line.map(([, value]) => value)}
        width={260}
        height={48}
        label={t('presets.lastDay')}
      />
      <table className={shared.figures}>
        <thead>
          <tr>
            <th scope="col">{t('presets.figures')}</th>
            <th scope="col">{t('presets.now')}</th>
            <th scope="col">{t('presets.then')}</th>
          </tr>
        </thead>
        <tbody>
          {(['count', 'min', 'max'] as const).map((name) => (
            <tr key={name}>
              <th scope="row">{t(`presets.figure.${name}`)}</th>
              <td>{number(before?.[name])}</td>
              <td>{number(after?.[name])}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{t('presets.figure.last')}</th>
            <td>{figureText(before?.last?.v)}</td>
            <td>{figureText(after?.last?.v)}</td>
          </tr>
        </tbody>
      </table>
      {after?.last && (
        <p className={shared.dim}>
          <RelativeTime at={after.last.t} />
        </p>
      )}
      {refused > 0 && <p className={shared.warn}>{t('presets.refused', { count: refused })}</p>}
    </>
  )
}

const figureText = (value: unknown) =>
  value === undefined ? '—' : typeof value === 'object' ? JSON.stringify(value) : String(value)
