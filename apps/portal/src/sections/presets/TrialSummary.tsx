import { useWords } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import { ChangesList } from './ChangesList.tsx'
import { useProblemText } from '../../parts/formulas/problem-text.ts'
import { NamedValue } from './NamedValue.tsx'
import type { Trial, TrialLeaf } from './preset-calls.ts'
import type { Row } from './preset-tree-rules.ts'
import classes from './presets.module.css'
import { treePathOf } from './problem-rules.ts'
import { type NameOf, type ValueName, valueNames } from './value-names.ts'

const mostLines = 12

type Props = { trial: Trial; isNew: boolean; rows: readonly Row[] }

/** A dry run in a few lines: what changes, how many values, what is wrong, who is affected. */
export function TrialSummary({ trial, isNew, rows }: Props) {
  const t = useWords()
  const told = useProblemText()
  const nameOf = useMemo(() => valueNames(rows), [rows])
  const nameAt = (place: string) =>
    nameOf(rows.find((row) => treePathOf(row) === place)?.path ?? place)
  const { issues, warnings, changes, uses, device, leaves, complete } = trial
  const count = (kind: string) => changes.filter((one) => one.kind === kind).length
  const arrived = sum(leaves.map(({ before }) => before?.count ?? 0))
  const sent = sum(leaves.map(({ after }) => after?.count ?? 0))
  return (
    <div className={classes.stack}>
      {!isNew && (
        <p>
          {t(changes.length === 0 ? 'presets.sum.same' : 'presets.sum.changes', {
            added: count('added'),
            changed: count('changed'),
            removed: count('removed'),
          })}
        </p>
      )}
      {!isNew && <ChangesList changes={changes} nameOf={nameOf} />}
      {!isNew && <p>{t('presets.sum.devices', { count: uses.devices })}</p>}
      {uses.presets.length > 0 && (
        <p>
          {t('presets.sum.presets', {
            count: uses.presets.length,
            names: uses.presets
              .slice(0, 5)
              .map(({ name }) => name)
              .join(', '),
          })}
        </p>
      )}
      {uses.views.length > 0 && (
        <p>
          {t('presets.sum.views', {
            count: uses.views.length,
            names: uses.views
              .slice(0, 5)
              .map(({ name }) => name)
              .join(', '),
          })}
        </p>
      )}
      {device ? (
        <p>
          {t('presets.sum.values', { device: device.label, arrived, sent })}
          {!complete && ` ${t('presets.sum.incomplete')}`}
        </p>
      ) : (
        <p className={classes.dim}>{t('presets.sum.noDevice')}</p>
      )}
      {issues.length > 0 && (
        <ul className={classes.problems} aria-label={t('presets.kind.error')}>
          {issues.slice(0, mostLines).map((issue) => (
            <li key={`${issue.path} ${issue.message}`} data-kind="error">
              <NamedValue value={nameAt(issue.path)} /> {told(issue)}
            </li>
          ))}
        </ul>
      )}
      {warnings.length > 0 && (
        <ul className={classes.problems} aria-label={t('presets.kind.warning')}>
          {warnings.slice(0, mostLines).map(({ path, rule, fields = [] }) => (
            <li key={`${path} ${rule}`} data-kind="warning">
              <NamedValue value={nameOf(path)} />{' '}
              {t(`presets.warning.${rule}`, { fields: fields.join(', ') })}
            </li>
          ))}
        </ul>
      )}
      <PathLines trial={trial} nameOf={nameOf} />
    </div>
  )
}

/** Each path with its values now and then, those that change most first, and why others have none. */
function PathLines({ trial: { leaves }, nameOf }: { trial: Trial; nameOf: NameOf }) {
  const t = useWords()
  const intl = useIntl()
  const told = leaves.filter(({ missing, before, after }) => missing !== null || before !== after)
  const lines = told.toSorted((a, b) => moved(b) - moved(a)).slice(0, mostLines)
  if (lines.length === 0) return null
  const number = (figures: TrialLeaf['after']) =>
    figures === undefined ? '—' : intl.formatNumber(figures.count)
  return (
    <>
      <table className={classes.figures}>
        <thead>
          <tr>
            <th scope="col">{t('presets.value')}</th>
            <th scope="col">{t('presets.now')}</th>
            <th scope="col">{t('presets.then')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ path, before, after, missing, sampled }) => (
            <tr key={path}>
              <th scope="row">
                <LeafName value={nameOf(path)} />
                {missing && <p className={classes.dim}>{t(`presets.missing.${missing}`)}</p>}
                {sampled && <p className={classes.dim}>{t('presets.sampled')}</p>}
              </th>
              <td>{number(before)}</td>
              <td>{number(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {told.length > lines.length && (
        <p className={classes.dim}>
          {t('presets.sum.more', { count: told.length - lines.length })}
        </p>
      )}
    </>
  )
}

const LeafName = ({ value: { name, path } }: { value: ValueName }) => (
  <span title={path}>{name}</span>
)

/** Weight of a value in the sort order: by its change in count; a missing value comes before an unchanged one. */
const moved = ({ before, after, missing }: TrialLeaf) =>
  Math.abs((after?.count ?? 0) - (before?.count ?? 0)) + (missing === null ? 0 : 0.5)

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
