import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type Impact, useUsage } from './model-calls.ts'
import shared from './models.module.css'
import classes from './Usage.module.css'
import { ContentPending } from '../../parts/pages/ContentPending.tsx'

/** Uses of a model: presets by name, the number of devices, and newer versions. */
export function Usage({ modelId }: { modelId: string }) {
  const t = useWords()
  const { data, error, refetch } = useUsage(modelId)
  if (error || !data) return <ContentPending {...{ error, refetch }} rows={3} />
  const newest = data.newer[0]
  return (
    <div className={shared.stack}>
      {newest && (
        <p className={shared.note}>
          {t('models.newerVersions', { count: data.newer.length })}{' '}
          <Anchor component={Link} to={`/models/${newest.id}`} inherit>
            {newest.version}
          </Anchor>
        </p>
      )}
      <span>{t('models.usedBy', { presets: data.presets.length, devices: data.devices })}</span>
      <PresetLines presets={data.presets} />
      <Others others={data.others} />
      <ViewLines views={data.views} />
    </div>
  )
}

/** Presets with their version and devices. */
export function PresetLines({ presets }: { presets: Impact['presets'] }) {
  const t = useWords()
  return (
    <ul className={shared.plainList}>
      {presets.map(({ id, name, version, devices, paths }) => (
        <li key={id} className={shared.listLine}>
          <Anchor component={Link} to={`/presets/${id}`} inherit>
            {name}
          </Anchor>
          <span className={shared.dim}>{version}</span>
          <span className={shared.dim}>{t('models.devicesCount', { count: devices })}</span>
          {paths.length > 0 && <code className={classes.paths}>{paths.join(', ')}</code>}
        </li>
      ))}
    </ul>
  )
}

/** Saved views of the data explorer, with what they show of it. */
export function ViewLines({ views }: { views: Impact['views'] }) {
  const t = useWords()
  if (views.length === 0) return null
  return (
    <>
      <span>{t('models.usedInViews', { count: views.length })}</span>
      <ul className={shared.plainList}>
        {views.map(({ id, name, paths }) => (
          <li key={id} className={shared.listLine}>
            <span>{name}</span>
            <code className={classes.paths}>{paths.join(', ')}</code>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Uses in organizations below, which have no names here. */
export function Others({ others }: { others: Impact['others'] }) {
  const t = useWords()
  if (others.presets === 0) return null
  return <span className={shared.dim}>{t('models.usedBelow', others)}</span>
}
