import { StatusDot, type Tone } from '@longreach/ui/StatusDot'
import { useCopy } from '@longreach/ui/use-copy'
import { useWords } from '@longreach/ui/use-words'
import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useIntl } from 'react-intl'
import { lengthText } from '../../../parts/alarms/length-text.ts'
import { query } from '../../../parts/api/api.ts'
import { ContentPending } from '../../../parts/pages/ContentPending.tsx'
import { linkTo } from '../../../parts/pages/page-links.ts'
import { toDraftPolicy } from '../editor/trigger-draft.ts'
import { matcherText } from '../sentence/matcher-text.ts'
import { type RunDetail, type Trigger, useTriggerOrganization } from '../trigger-calls.ts'
import { triggersApi } from '../../../parts/triggers/triggers-api.ts'
import classes from './activity.module.css'
import { RunConditions } from './RunConditions.tsx'
import { useTimeText } from '../use-time-text.ts'

type Props = { trigger: Trigger; runId: string }

/** All that a run saw and did: what led to it, inputs, conditions, actions with request and answer. */
export function RunTrace({ trigger, runId }: Props) {
  const here = useTriggerOrganization()
  const { data, error, refetch } = useQuery({
    ...query(triggersApi.run, { params: { id: trigger.id, run: runId }, query: here }),
    // Until the last answer is there.
    refetchInterval: ({ state }) => (state.data?.isDone === false ? 2_000 : false),
  })
  if (data === undefined) return <ContentPending error={error} refetch={refetch} rows={4} />
  // Conditions bear places of the version that ran.
  const isSame = data.version === trigger.longreach.version
  const policy = isSame ? toDraftPolicy(trigger.triggerData.policy) : undefined
  return (
    <>
      <RunFacts run={data} isSame={isSame} />
      {data.chain.length > 0 && <RunChain chain={data.chain} />}
      <RunInputs inputs={data.inputs} />
      <RunConditions run={data} policy={policy} />
      <RunActions actions={data.actions} />
    </>
  )
}

function RunFacts({ run, isSame }: { run: RunDetail; isSame: boolean }) {
  const t = useWords()
  const timeText = useTimeText()
  return (
    <p className={classes.facts}>
      <Anchor
        component={Link}
        {...linkTo('/devices/$deviceId', { params: { deviceId: run.deviceId } })}
        inherit
        underline="always"
      >
        {run.deviceLabel}
      </Anchor>{' '}
      ·{' '}
      {t('trigger-runs.facts', {
        fired: timeText(run.firedAt),
        ran: timeText(run.at),
        owner: run.owner,
        version: run.version,
      })}
      {!isSame && ` · ${t('trigger-runs.otherVersion')}`}
      <CopyRun run={run} />
    </p>
  )
}

const copyWords = { copied: 'ui.copied', refused: 'ui.copyRefused' } as const

/** Button that copies all of a run, as for a report or a ticket. */
function CopyRun({ run }: { run: RunDetail }) {
  const t = useWords()
  const { state, copy } = useCopy()
  return (
    <Button
      className={classes.copy}
      variant="subtle"
      size="compact-xs"
      onClick={() => void copy(JSON.stringify(run, undefined, 2))}
    >
      <span role="status">{t(state === 'ready' ? 'trigger.copyRun' : copyWords[state])}</span>
    </Button>
  )
}

function RunChain({ chain }: Pick<RunDetail, 'chain'>) {
  const t = useWords()
  const timeText = useTimeText()
  return (
    <section>
      <h3 className={classes.title}>{t('trigger-runs.chain')}</h3>
      <ol className={classes.plainList}>
        {chain.map(({ runId, triggerId, name, path, at }) => (
          <li key={runId}>
            {timeText(at)} ·{' '}
            <Anchor
              component={Link}
              {...linkTo('/trigger/$triggerId', { params: { triggerId }, search: { run: runId } })}
              inherit
              underline="always"
            >
              {name}
            </Anchor>{' '}
            {t('trigger.writes', { path: matcherText(path, t) })}
          </li>
        ))}
      </ol>
    </section>
  )
}

function RunInputs({ inputs }: Pick<RunDetail, 'inputs'>) {
  const t = useWords()
  const timeText = useTimeText()
  const valueText = useInputText()
  return (
    <section>
      <h3 className={classes.title}>{t('trigger-runs.inputs')}</h3>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('trigger-runs.input')}</th>
            <th scope="col">{t('trigger-runs.value')}</th>
            <th scope="col">{t('trigger-runs.since')}</th>
          </tr>
        </thead>
        <tbody>
          {inputs.map((input) => (
            <tr key={input.path}>
              <th scope="row">
                {input.path === 'connection'
                  ? t('trigger-runs.connection')
                  : matcherText(input.path, t)}
                {input.isCause && <span className={classes.cause}>{t('trigger-runs.cause')}</span>}
              </th>
              <td>{valueText(input)}</td>
              <td>{input.t === null ? '—' : timeText(input.t)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Value of an input as people read it; one that the person may not read says so. */
function useInputText() {
  const t = useWords()
  const { formatNumber } = useIntl()
  return ({ value, hidden }: RunDetail['inputs'][number]) => {
    if (hidden) return t('trigger-runs.hidden')
    if (value === null) return t('trigger-runs.noValue')
    if (typeof value === 'boolean') return t(value ? 'live.on' : 'live.off')
    return typeof value === 'number' ? formatNumber(value, { maximumFractionDigits: 6 }) : value
  }
}

const actionTones: Record<RunDetail['actions'][number]['state'], Tone> = {
  WAITING: 'info',
  DONE: 'ok',
  FAILED: 'alarm',
  BLOCKED: 'warning',
  THROTTLED: 'off',
  SKIPPED: 'off',
}

function RunActions({ actions }: Pick<RunDetail, 'actions'>) {
  const t = useWords()
  return (
    <section>
      <h3 className={classes.title}>{t('trigger-runs.actions')}</h3>
      {actions.length === 0 && <p className={classes.facts}>{t('trigger-runs.noActions')}</p>}
      <ol className={classes.actions}>
        {actions.map((action) => (
          <RunAction key={action.uuid} action={action} />
        ))}
      </ol>
    </section>
  )
}

function RunAction({ action }: { action: RunDetail['actions'][number] }) {
  const t = useWords()
  const { locale } = useIntl()
  const timeText = useTimeText()
  const { type, state, request, answer, ms, throttledUntil } = action
  return (
    <li className={classes.action}>
      <div className={classes.actionLine}>
        <b>{t(`trigger-runs.short.${type}`)}</b>
        <StatusDot tone={actionTones[state]}>{t(`trigger-runs.actionState.${state}`)}</StatusDot>
        {ms !== null && <span className={classes.at}>{lengthText(ms, locale)}</span>}
        {throttledUntil !== null && (
          <span className={classes.at}>
            {t('trigger-runs.throttledUntil', { time: timeText(throttledUntil) })}
          </span>
        )}
      </div>
      <div className={classes.messages}>
        {request !== '' && <SentText label={t('trigger-runs.request')} text={request} />}
        {answer !== '' && <SentText label={t('trigger-runs.answer')} text={answer} />}
      </div>
    </li>
  )
}

/** Text that was sent or answered, in a box that scrolls. */
function SentText({ label, text }: { label: string; text: string }) {
  return (
    <figure className={classes.message}>
      <figcaption>{label}</figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard */}
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </figure>
  )
}
