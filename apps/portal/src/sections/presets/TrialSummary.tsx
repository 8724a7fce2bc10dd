import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { ChangesList } from './ChangesList.tsx'
import { useProblemText } from '../../lib/problem-text.ts'
import type { Trial } from './preset-calls.ts'
import classes from './presets.module.css'

const mostLines = 12

/** A dry run in a few lines: what changes, how many values, what is wrong, who is affected. */
export function TrialSummary({ trial, isNew }: { trial: Trial; isNew: boolean }) {
  const t = useWords()
  const told = useProblemText()
  const { issues, warnings, changes, uses, device, leaves, complete } = trial
  const count = (kind: string) => changes.filter((one) => one.kind === kind).length
  const arrived = sum(leaves.map(({ before }) => before?.count ?? 0))
  const sent = sum(leaves.map(({ after }) => after?.count ?? 0))
  return (
    <div className={classes.stack}>
      {!isNew && (
        <p>
          {t('presets.sum.changes', {
            added: count('added'),
            changed: count('changed'),
            removed: count('removed'),
          })}
        </p>
      )}
      {!isNew && <ChangesList changes={changes} />}
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
              <code>{issue.path}</code> {told(issue)}
            </li>
          ))}
        </ul>
      )}
      {warnings.length > 0 && (
        <ul className={classes.problems} aria-label={t('presets.kind.warning')}>
          {warnings.slice(0, mostLines).map(({ path, rule, fields = [] }) => (
            <li key={`${path} ${rule}`} data-kind="warning">
              <code>{path}</code> {t(`presets.warning.${rule}`, { fields: fields.join(', ') })}
            </li>
          ))}
        </ul>
      )}
      <Biggest trial={trial} />
    </div>
  )
}

/** The values whose number changes most. */
function Biggest({ trial: { leaves } }: { trial: Trial }) {
  const t = useWords()
  const intl = useIntl()
  const moved = leaves
    .flatMap(({ path, before, after }) =>
      before && after && before.count !== after.count
        ? [{ path, before: before.count, after: after.count }]
        : [],
    )
    .toSorted((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before))
    .slice(0, mostLines)
  if (moved.length === 0) return null
  return (
    <table className={classes.figures}>
      <thead>
        <tr>
          <th scope="col">{t('presets.value')}</th>
          <th scope="col">{t('presets.now')}</th>
          <th scope="col">{t('presets.then')}</th>
        </tr>
      </thead>
      <tbody>
        {moved.map(({ path, before, after }) => (
          <tr key={path}>
            <th scope="row">{path}</th>
            <td>{intl.formatNumber(before)}</td>
            <td>{intl.formatNumber(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
