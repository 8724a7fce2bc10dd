import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Button, Checkbox } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, query, stale } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { makePreset } from '../../parts/presets/make-preset.ts'
import { modelAndPreset } from '../../parts/presets/quick-preset.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import classes from './walkthrough.module.css'
import type { DeviceStepProps } from './walkthrough-url.ts'

const askEveryMs = 2_000

/** Step that chooses the device's values to store: they become its model and its preset. */
export function ValuesStep(props: DeviceStepProps) {
  return props.device.presetId === null ? <Choose {...props} /> : <Chosen {...props} />
}

function Chosen({ go, device }: DeviceStepProps) {
  const t = useWords()
  return (
    <div className={classes.content}>
      <p className={classes.dim}>
        {t('walkthrough.hasPreset', { preset: device.presetName ?? '' })}
      </p>
      <div className={classes.bar}>
        <Button variant="default" onClick={() => go(3)}>
          {t('walkthrough.back')}
        </Button>
        <Button variant="subtle" component={Link} to={`/presets/${device.presetId ?? ''}`}>
          {t('walkthrough.openPreset')}
        </Button>
        <Button onClick={() => go(5)}>{t('walkthrough.next')}</Button>
      </div>
    </div>
  )
}

function Choose({ walk, change, go, device }: DeviceStepProps) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useSession().organization.resourceId
  const org = useReach()
  const may = useMay()
  const { deviceId } = device
  const label = `${device.label} ${deviceId.slice(0, 5)}`
  const announced = useQuery({
    ...query(api.platform.availableTags, { params: { org, deviceId } }),
    refetchInterval: askEveryMs,
  })
  const all = announced.data ?? []
  const unwanted = new Set(walk.not)
  const wanted = all.filter(({ name }) => !unwanted.has(name))
  const { count } = modelAndPreset(label, wanted, { uuid: '' })
  const make = useMutation({
    mutationFn: async () => {
      const presetId = await makePreset(organization, label, wanted)
      await api.mappings.assignPreset({
        params: { id: deviceId },
        query: { organization: org },
        body: { presetId },
      })
    },
    onSuccess: async () => {
      go(5)
      await Promise.all([stale(api.mappings.device), stale(api.platform.configuration)])
    },
  })
  const allowed = may('models:create') && may('devices:update')
  const toggle = (name: string, on: boolean) =>
    change({ not: on ? walk.not.filter((one) => one !== name) : [...walk.not, name] })
  return (
    <div className={classes.content}>
      <p className={classes.dim}>
        {t(all.length === 0 ? 'walkthrough.noTags' : 'walkthrough.valuesText', {
          count: all.length,
        })}
      </p>
      {all.length > 0 && (
        <ul className={classes.tags} aria-label={t('walkthrough.step.4')}>
          {all.map(({ name, type }) => (
            <li key={name}>
              <Checkbox
                label={<code>{name}</code>}
                description={type}
                checked={!unwanted.has(name)}
                onChange={(event) => toggle(name, event.currentTarget.checked)}
              />
            </li>
          ))}
        </ul>
      )}
      {!allowed && <p className={classes.warn}>{t('walkthrough.mayNotModel')}</p>}
      {make.error && <ErrorPanel {...errorText(make.error)} />}
      <div className={classes.bar}>
        <Button variant="default" onClick={() => go(3)}>
          {t('walkthrough.back')}
        </Button>
        <Button
          disabled={count === 0 || !allowed}
          loading={make.isPending}
          onClick={() => make.mutate()}
        >
          {t('walkthrough.useValues', { count })}
        </Button>
      </div>
    </div>
  )
}
