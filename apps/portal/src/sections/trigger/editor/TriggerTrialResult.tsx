import { formatTime } from '@longreach/ui/format'
import { late } from '@longreach/ui/late'
import { Facts } from '@longreach/ui/SidePanel'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { lengthText } from '../../../parts/alarms/length-text.ts'
import { usualZone } from '../../../parts/look/time-zone.ts'
import { withWords } from '../../../parts/words/spoken-words.ts'
import { useInstanceText } from '../sentence/use-instance-text.ts'
import type { Trial } from '../trigger-calls.ts'
import { trialClasses as classes } from './editor-classes.ts'
import { actionsOf, type TriggerDraft } from './trigger-draft.ts'
import type { TrialSpan } from './trial-spans.ts'

const TruthLanes = late(() => withWords(import('./TruthLanes.tsx'), 'trigger-trial'), 'TruthLanes')

const mostTimes = 100

type Props = {
  result: Trial
  span: TrialSpan
  range: { from: number; to: number }
  /** Trigger as it was tried. */
  draft: TriggerDraft
  labelOf: (deviceId: string) => string
}

/** Number of times that a trigger would have run, and the times on each device. */
export function TriggerTrialResult({ result, span, range, draft, labelOf }: Props) {
  const t = useWords()
  const count = result.devices.reduce((sum, device) => sum + device.count, 0)
  return (
    <div role="status" className={classes.fields}>
      <p className={classes.figure}>{t(`trigger-editor.trial.countIn.${span}`, { count })}</p>
      {!result.complete && <p className={classes.help}>{t('trigger-editor.trial.cut')}</p>}
      <ActionRuns result={result} draft={draft} />
      {result.devices.map((device) => (
        <DeviceTrial
          key={device.deviceId}
          device={device}
          draft={draft}
          range={range}
          label={labelOf(device.deviceId)}
        />
      ))}
    </div>
  )
}

/** Runs that each action would have had with its throttling, on all devices. */
function ActionRuns({ result, draft }: Pick<Props, 'result' | 'draft'>) {
  const t = useWords()
  const { formatNumber } = useIntl()
  const items = actionsOf(draft).flatMap(({ action, place }, index) => {
    if (action.disabled || action.type === 'SHARE_DASHBOARD') return []
    const runs = result.devices.reduce(
      (sum, device) => sum + (device.runs[action.uuid ?? ''] ?? device.runs[place] ?? 0),
      0,
    )
    const name = t(`trigger-editor.action.${action.type}`)
    return [
      {
        label: t('trigger-editor.actionNumber', { number: index + 1, name }),
        value: t('trigger-editor.trial.runs', { count: runs, runs: formatNumber(runs) }),
      },
    ]
  })
  return items.length === 0 ? null : <Facts items={items} />
}

type DeviceProps = {
  device: Trial['devices'][number]
  draft: TriggerDraft
  range: Props['range']
  label: string
}

/** Firings on one device with what fired each, and what nearly did. */
function DeviceTrial({ device, draft, range, label }: DeviceProps) {
  const t = useWords()
  const { locale } = useIntl()
  const instanceText = useInstanceText(draft.policy)
  const { count, firings, missing, mostInTenMinutes, nearestMisses } = device
  const shown = firings.slice(0, mostTimes)
  return (
    <section>
      <p className={classes.note}>
        <b>{t('trigger-editor.trial.onDevice', { device: label, count })}</b>
        {count > 1 && ` · ${t('trigger-editor.trial.most', { count: mostInTenMinutes })}`}
      </p>
      {missing.length > 0 && (
        <p className={classes.fault}>
          {t('trigger-editor.trial.missing', { paths: missing.join(', ') })}
        </p>
      )}
      <TruthLanes device={device} policy={draft.policy} range={range} label={label} />
      {shown.length > 0 && (
        <ol
          className={classes.times}
          // What scrolls can be reached by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          aria-label={t('trigger-editor.trial.times', { device: label })}
        >
          {shown.map(({ t: at, instance }) => (
            <li key={`${at} ${instance}`} className={classes.time}>
              <time dateTime={new Date(at).toISOString()}>
                {formatTime(new Date(at), locale, usualZone())}
              </time>
              <span>{instanceText(instance)}</span>
            </li>
          ))}
        </ol>
      )}
      {count > shown.length && (
        <p className={classes.help}>
          {t('trigger-editor.trial.more', { count: count - shown.length })}
        </p>
      )}
      {nearestMisses.length > 0 && (
        <>
          <p className={classes.help}>{t('trigger-editor.trial.misses')}</p>
          <ol className={classes.times}>
            {nearestMisses.map(({ t: at, instance, heldMs, ofMs }) => (
              <li key={`${at} ${instance}`} className={classes.time}>
                <time dateTime={new Date(at).toISOString()}>
                  {formatTime(new Date(at), locale, usualZone())}
                </time>
                <span>
                  {t('trigger-editor.trial.held', {
                    held: lengthText(heldMs, locale),
                    of: lengthText(ofMs, locale),
                  })}
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  )
}
