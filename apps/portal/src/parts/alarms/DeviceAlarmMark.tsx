import { useWords } from '@longreach/ui/use-words'
import { Link } from '@tanstack/react-router'
import { linkTo } from '../pages/page-links.ts'
import { useMay } from '../session/session.ts'
import classes from './DeviceAlarmMark.module.css'
import type { DeviceAlarms } from './device-alarms.ts'
import { useDeviceAlarms } from './limited-alarms.ts'
import { severityName } from './severity.ts'
import { SeverityShape } from './SeverityMark.tsx'

type Props = {
  device: { deviceId: string; attributes: Readonly<Record<string, unknown>> }
  /** It leads to the alarms of the device, for those who may see them. */
  link?: boolean
  /** Text where no alarm is open. */
  none?: string
}

/** Mark of the open alarms of a device: the worst severity by shape and colour, and their number. */
export function DeviceAlarmMark({ device, link = false, none }: Props) {
  const textOf = useDeviceAlarmsText()
  const may = useMay()('alarms:read')
  const { alarms, isKnown } = useDeviceAlarms(device)
  if (alarms === undefined) return (isKnown && none) || null
  const text = textOf(alarms)
  const look = { className: classes.mark, title: text, 'aria-label': text }
  const shown = (
    <>
      <SeverityShape name={severityName(alarms.worst)} />
      {alarms.total}
    </>
  )
  if (!link || !may) {
    return (
      <span role="img" {...look}>
        {shown}
      </span>
    )
  }
  const { deviceId } = device
  const to = linkTo('/devices/$deviceId', { params: { deviceId }, search: { tab: 'alarms' } })
  return (
    <Link {...to} {...look}>
      {shown}
    </Link>
  )
}

/** Sentence about the open alarms of a device: how many, and the worst. */
function useDeviceAlarmsText() {
  const t = useWords()
  return ({ total, worst }: DeviceAlarms) =>
    t('device-alarms.openOf', {
      count: total,
      severity: t(`alarm.severity.${severityName(worst)}`),
    })
}
