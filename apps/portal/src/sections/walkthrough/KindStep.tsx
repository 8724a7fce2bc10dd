import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconCpu, IconFlask, IconRouter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../parts/api/api.ts'
import { useSession } from '../../parts/session/session.ts'
import classes from './walkthrough.module.css'
import { kinds, nextStep } from './walkthrough-url.ts'
import type { StepProps } from './walkthrough-url.ts'

const icons = { simulator: IconFlask, gateway: IconRouter, own: IconCpu }

/** Step that asks for the kind of device to connect. */
export function KindStep({ walk, change, go }: StepProps) {
  const t = useWords()
  return (
    <form
      className={classes.content}
      onSubmit={(event) => {
        event.preventDefault()
        if (walk.kind) go(2)
      }}
    >
      <p className={classes.dim}>{t('walkthrough.kindText')}</p>
      <fieldset className={classes.choices} aria-label={t('walkthrough.step.1')}>
        {kinds.map((kind) => {
          const Icon = icons[kind]
          return (
            <label key={kind} className={classes.choice}>
              <input
                type="radio"
                name="kind"
                checked={walk.kind === kind}
                onChange={() => change({ kind })}
              />
              <strong>
                <Icon size={18} stroke={1.6} aria-hidden="true" />
                {t(`walkthrough.kind.${kind}`)}
              </strong>
              <span>{t(`walkthrough.kindHelp.${kind}`)}</span>
            </label>
          )
        })}
      </fieldset>
      <div className={classes.bar}>
        <span />
        <Button type="submit" disabled={walk.kind === undefined}>
          {t('walkthrough.next')}
        </Button>
      </div>
      <Unfinished go={go} />
    </form>
  )
}

/** Devices that somebody began with and that have no values yet: go on there. */
function Unfinished({ go }: Pick<StepProps, 'go'>) {
  const t = useWords()
  const organization = useSession().organization.resourceId
  const { data } = useQuery(
    query(api.mappings.devices, {
      query: { organization, page: 0, pageSize: 10, orderBy: 'creationDate', orderDir: 'desc' },
    }),
  )
  const begun = (data?.data ?? []).filter(
    ({ presetId, lastConnUpdateAt }) => presetId === null || lastConnUpdateAt === 0,
  )
  if (begun.length === 0) return null
  return (
    <div className={classes.content}>
      <p className={classes.dim}>{t('walkthrough.goOn')}</p>
      <div className={classes.begun}>
        {begun.slice(0, 3).map((device) => (
          <Button
            key={device.deviceId}
            variant="default"
            size="compact-sm"
            onClick={() => go(nextStep(device, false), { device: device.deviceId })}
          >
            {device.label}
          </Button>
        ))}
      </div>
    </div>
  )
}
