import { formatTime } from '@longreach/ui/format'
import { late } from '@longreach/ui/late'
import { Facts, PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { useWords } from '@longreach/ui/use-words'
import { Anchor, Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { alarmsQuery } from '../../../parts/alarms/alarm-calls.ts'
import { useAlarmText } from '../../../parts/alarms/alarm-text.ts'
import { SeverityMark } from '../../../parts/alarms/SeverityMark.tsx'
import type { Shelf } from '../../../parts/alarms/shelf-calls.ts'
import { usualZone } from '../../../parts/look/time-zone.ts'
import { linkTo } from '../../../parts/pages/page-links.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { ShelfOrganization, Remaining, useTargetName } from './shelf-columns.tsx'
import classes from './shelves.module.css'

const ChangeShelf = late(() => import('../../../parts/alarms/ChangeShelf.tsx'), 'ChangeShelf')
const LiftShelf = late(() => import('../../../parts/alarms/LiftShelf.tsx'), 'LiftShelf')

type Props = { shelf: Shelf; onClose: () => void }

/** A shelf beside the list: why, by whom, until when, and the alarms that it holds. */
export function ShelfPanel({ shelf, onClose }: Props) {
  const t = useWords()
  const { locale } = useIntl()
  const name = useTargetName()(shelf)
  const [doing, setDoing] = useState<'change' | 'lift'>()
  const close = () => setDoing(undefined)
  const time = (at: number) => formatTime(new Date(at), locale, usualZone())
  const { target, reason, note, by, createdAt, until } = shelf
  const where = <ShelfOrganization id={shelf.orgResourceId} />
  const items = [
    { label: t('alarm-shelves.type'), value: t(`alarm-shelves.type.${target.type}`) },
    { label: t('alarm-shelves.reason'), value: t(`alarm-shelves.reason.${reason}`) },
    ...(note === '' ? [] : [{ label: t('alarm-shelves.note'), value: note }]),
    { label: t('alarm-shelves.by'), value: by },
    { label: t('alarm-shelves.since'), value: time(createdAt) },
    { label: t('alarm-shelves.end'), value: time(until) },
    { label: t('alarm-shelves.from'), value: where },
    ...(target.deviceId === null
      ? []
      : [{ label: t('alarms.device'), value: <DeviceLink deviceId={target.deviceId} /> }]),
  ]
  return (
    <SidePanel
      title={name}
      facts={
        <>
          {t('alarm-shelves.remaining')} <Remaining shelf={shelf} />
        </>
      }
      actions={
        <>
          {shelf.mayChange && (
            <Button onClick={() => setDoing('change')}>{t('alarm-shelves.change')}</Button>
          )}
          {shelf.mayLift && (
            <Button variant="default" onClick={() => setDoing('lift')}>
              {t('alarm-shelves.lift')}
            </Button>
          )}
        </>
      }
      onClose={onClose}
    >
      <PanelSection title={t('alarm-shelves.details')}>
        <Facts items={items} />
      </PanelSection>
      <PanelSection title={t('alarm-shelves.held')}>
        <HeldAlarms shelf={shelf} />
      </PanelSection>
      {doing === 'change' && <ChangeShelf {...{ shelf, name }} onClose={close} />}
      {doing === 'lift' && <LiftShelf {...{ shelf, name }} onClose={close} onLifted={onClose} />}
    </SidePanel>
  )
}

function DeviceLink({ deviceId }: { deviceId: string }) {
  const t = useWords()
  return (
    <Anchor component={Link} {...linkTo('/devices/$deviceId', { params: { deviceId } })} inherit>
      {t('alarm-shelves.openDevice')}
    </Anchor>
  )
}

/** Alarms of a shelf that the panel lists. */
const most = 20

function HeldAlarms({ shelf }: { shelf: Shelf }) {
  const t = useWords()
  const textOf = useAlarmText()
  const question = { kind: 'shelved', shelfId: shelf.id } as const
  const { data } = useInfiniteQuery(alarmsQuery(useReach(), question))
  const alarms = data?.pages[0]?.data ?? []
  if (data && alarms.length === 0) return <p>{t('alarm-shelves.heldNone')}</p>
  const more = (data?.pages[0]?.counts.total ?? 0) - most
  return (
    <>
      <ul className={classes.held}>
        {alarms.slice(0, most).map((alarm) => (
          <li key={alarm.id}>
            <SeverityMark severity={alarm.severity} />
            <Anchor
              component={Link}
              {...linkTo('/alarms/alarms-history', { search: { alarm: alarm.id } })}
              inherit
            >
              {textOf(alarm)}
            </Anchor>
            <span className={classes.quiet}>{alarm.deviceLabel}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={classes.quiet}>{t('alarm-shelves.heldMore', { count: more })}</p>}
    </>
  )
}
