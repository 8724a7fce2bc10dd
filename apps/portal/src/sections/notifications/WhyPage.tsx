import { EmptyState } from '@longreach/ui/EmptyState'
import { formatTime } from '@longreach/ui/format'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { StatusDot, type Tone } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useIntl } from 'react-intl'
import { SeverityMark } from '../../parts/alarms/SeverityMark.tsx'
import { query } from '../../parts/api/api.ts'
import { usualZone } from '../../parts/look/time-zone.ts'
import { notificationsApi, type Why } from '../../parts/notifications/notification-calls.ts'
import { linkTo } from '../../parts/pages/page-links.ts'
import { ContentPending } from '../../parts/pages/ContentPending.tsx'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useGateText } from './gate-text.ts'
import classes from './why.module.css'

/** Reasons for which a person was told of an alarm, or was not, from the alarm or from a delivery. */
export function Component() {
  const t = useWords()
  const [search, change] = useSearch()
  const [alarm, delivery] = [one(search['alarm']), one(search['delivery'])]
  return (
    <Page>
      <PageHeader title={t('why.title')} help={t('why.help')} />
      {delivery ? (
        <OfDelivery id={delivery} />
      ) : alarm ? (
        <OfAlarm
          alarm={alarm}
          user={one(search['user']) ?? ''}
          onUser={(user) => void change({ user: user === '' ? undefined : user })}
        />
      ) : (
        <EmptyState kind="nothing" title={t('why.noAlarm')} text={t('why.noAlarmText')} />
      )}
    </Page>
  )
}

type OfAlarmProps = { alarm: string; user: string; onUser: (user: string) => void }

function OfAlarm({ alarm, user, onUser }: OfAlarmProps) {
  const t = useWords()
  const organization = useReach()
  const [text, setText] = useState(user)
  const asked = useQuery(
    query(notificationsApi.why, { query: { organization, alarm, ...(user !== '' && { user }) } }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onUser(text.trim())
  }
  return (
    <>
      <form className={classes.ask} onSubmit={submit}>
        <TextInput
          label={t('why.person')}
          description={t('why.personHelp')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {t('why.ask')}
        </Button>
      </form>
      <Answer {...asked} />
    </>
  )
}

function OfDelivery({ id }: { id: string }) {
  const organization = useReach()
  const asked = useQuery(
    query(notificationsApi.whyDelivery, { params: { id }, query: { organization } }),
  )
  return <Answer {...asked} />
}

type AnswerProps = { data: Why | undefined; error: Error | null; refetch: () => unknown }

function Answer({ data, error, refetch }: AnswerProps) {
  const t = useWords()
  if (!data) return <ContentPending {...{ error, refetch }} />
  const { alarm, rules, user } = data
  const isTold = rules.some((rule) => rule.isTold)
  return (
    <>
      <div className={classes.head}>
        <StatusDot tone={isTold ? 'ok' : 'off'}>
          {t(isTold ? 'why.told' : 'why.notTold', { user })}
        </StatusDot>
        <SeverityMark severity={alarm.severity} />
        <span>{`${alarm.device}: ${alarm.name}`}</span>
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(props) => (
            <Link {...linkTo('/alarms', { search: { alarm: alarm.id } })} {...props} />
          )}
        >
          {t('why.openAlarm')}
        </Button>
      </div>
      {rules.length === 0 ? (
        <EmptyState kind="nothing" title={t('why.noRules')} text={t('why.noRulesText')} />
      ) : (
        rules.map((rule) => (
          <RuleWay key={`${rule.notificationId} ${rule.kind} ${rule.at}`} rule={rule} />
        ))
      )}
    </>
  )
}

const tones: Record<Why['rules'][number]['steps'][number]['state'], Tone> = {
  passed: 'ok',
  stopped: 'alarm',
  waits: 'info',
}

/** Gates of a rule in order; the last one is the reason. */
function RuleWay({ rule: { name, at, steps } }: { rule: Why['rules'][number] }) {
  const t = useWords()
  const { locale } = useIntl()
  const { nameOf, textOf } = useGateText()
  return (
    <section className={classes.rule}>
      <h2 className={classes.name}>
        {t('why.rule', { name, at: formatTime(new Date(at), locale, usualZone()) })}
      </h2>
      <ol className={classes.steps}>
        {steps.map((step, place) => (
          // A gate may come once for each channel.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={place} className={classes.step} data-state={step.state}>
            <StatusDot tone={tones[step.state]}>{t(`why.state.${step.state}`)}</StatusDot>
            <span className={classes.gate}>{nameOf(step)}</span>
            <span className={classes.saw}>{textOf(step)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
