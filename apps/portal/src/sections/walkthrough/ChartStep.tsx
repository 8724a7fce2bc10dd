import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTags } from '../../parts/devices/devices.ts'
import { useMay } from '../../parts/session/session.ts'
import { TagChart } from '../../parts/history/TagChart.tsx'
import { firstChosen, isDrawable } from '../../parts/devices/tags.ts'
import classes from './walkthrough.module.css'
import type { DeviceStepProps } from './walkthrough-url.ts'

const shownLines = 4

/** The values as they arrive, and what may come next. */
export function ChartStep({ go, device }: DeviceStepProps) {
  const t = useWords()
  const { deviceId } = device
  const { tags } = useTags(deviceId)
  const arrived = tags.filter((tag) => tag.last !== undefined)
  const numbers = firstChosen(arrived)
  const others = arrived.filter(isDrawable).slice(0, shownLines)
  const paths = numbers.length > 0 ? numbers : others.map(({ path }) => path)
  const there = arrived.length > 0
  return (
    <div className={classes.content}>
      <div className={classes.waiting} data-done={there} role="status">
        <StatusDot tone={there ? 'ok' : 'off'}>
          <strong>
            {t(there ? 'walkthrough.valuesHere' : 'walkthrough.valuesWaiting', {
              count: arrived.length,
            })}
          </strong>
        </StatusDot>
      </div>
      {paths.length > 0 && (
        <TagChart key={deviceId} deviceId={deviceId} paths={paths} height={260} start="15m" />
      )}
      <h3>{t('walkthrough.whatNext')}</h3>
      <Next deviceId={deviceId} paths={paths} />
      <div className={classes.bar}>
        <Button variant="default" onClick={() => go(4)}>
          {t('walkthrough.back')}
        </Button>
        <Button component={Link} to={`/devices/${deviceId}`}>
          {t('walkthrough.finish')}
        </Button>
      </div>
    </div>
  )
}

function Next({ deviceId, paths }: { deviceId: string; paths: readonly string[] }) {
  const t = useWords()
  const may = useMay()
  const search = { s: paths.map((path) => `${deviceId}/${path}`) }
  return (
    <ul className={classes.next}>
      <li>
        <Link to="/data-explore" search={search}>
          <strong>{t('walkthrough.next.explore')}</strong>
          <span>{t('walkthrough.next.exploreText')}</span>
        </Link>
      </li>
      {may('users:read') && (
        <li>
          <Link to="/permission">
            <strong>{t('walkthrough.next.people')}</strong>
            <span>{t('walkthrough.next.peopleText')}</span>
          </Link>
        </li>
      )}
      <li>
        <Link to="/walkthrough">
          <strong>{t('walkthrough.next.another')}</strong>
          <span>{t('walkthrough.next.anotherText')}</span>
        </Link>
      </li>
    </ul>
  )
}
