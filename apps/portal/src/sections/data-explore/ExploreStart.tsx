import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../parts/api/api.ts'
import { useTags } from '../../parts/devices/devices.ts'
import { useReach } from '../../parts/session/reach.ts'
import shared from './data-explore.module.css'
import classes from './ExploreStart.module.css'
import { type Line, withLine } from './explore-url.ts'
import { suggestedTags } from './suggested-tags.ts'
import { useFavourites } from './use-favourites.ts'
import type { DeviceValue } from './use-kept-values.ts'
import { useRecentValues } from './use-recent-values.ts'
import { useShowView, useViews } from './use-views.ts'
import { ValueCards } from './ValueCards.tsx'

const mostDevices = 6
const mostListed = 12
const mostRecentShown = 6

type Props = { onLines: (lines: readonly Line[]) => void }

/** Starting points while nothing is drawn: favourites, values drawn last, saved views, and some devices. */
export function ExploreStart({ onLines }: Props) {
  const t = useWords()
  const { favourites, has } = useFavourites()
  const recent = useRecentValues().filter((value) => !has(value))
  const open = (value: DeviceValue) => onLines(withLine([], value))
  const { data: views = [] } = useViews()
  const showView = useShowView()
  const organization = useReach()
  const asked = { organization, page: 0, pageSize: mostDevices, orderBy: 'label' }
  const { data: devices } = useQuery(query(api.mappings.devices, { query: asked }))
  return (
    <div className={classes.start}>
      <p className={shared.dim}>{t('data-explore.nothingText')}</p>
      <ValueCards
        title={t('data-explore.favourites')}
        values={favourites.slice(0, mostListed)}
        onOpen={open}
      />
      <ValueCards
        title={t('data-explore.recent')}
        values={recent.slice(0, mostRecentShown)}
        onOpen={open}
      />
      {views.length > 0 && (
        <section>
          <h2>{t('saved-views.views')}</h2>
          <ul className={shared.startCards}>
            {views.slice(0, mostListed).map((view) => (
              <li key={view.id}>
                <button type="button" onClick={() => void showView(view)}>
                  <strong>{view.name}</strong>
                  {view.description !== '' && <small>{view.description}</small>}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {devices !== undefined && devices.data.length > 0 && (
        <section>
          <h2>{t('data-explore.devices')}</h2>
          <ul className={shared.startCards}>
            {devices.data.map(({ deviceId, label }) => (
              <DeviceCard key={deviceId} device={deviceId} label={label} onLines={onLines} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

type DeviceProps = Props & { device: string; label: string }

/** A device with its first values, drawn together when it is chosen. */
function DeviceCard({ device, label, onLines }: DeviceProps) {
  const t = useWords()
  const { tags, pending } = useTags(device, { live: false })
  const shown = suggestedTags(tags)
  const lines = () => shown.reduce<Line[]>((all, { path }) => withLine(all, { device, path }), [])
  return (
    <li>
      <button type="button" disabled={shown.length === 0} onClick={() => onLines(lines())}>
        <strong>{label}</strong>
        <small>
          {shown.length > 0
            ? shown.map(({ name }) => name).join(', ')
            : pending
              ? '\u00a0'
              : t('data-explore.noValues')}
        </small>
      </button>
    </li>
  )
}
