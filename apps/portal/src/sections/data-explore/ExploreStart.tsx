import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../lib/api.ts'
import { useTags } from '../../lib/devices.ts'
import { useReach } from '../../lib/reach.ts'
import { shortPath } from '../../lib/tags.ts'
import classes from './data-explore.module.css'
import { type Line, withLine } from './explore-url.ts'
import { suggestedTags } from './suggested-tags.ts'
import { type Favourite, useFavourites } from './use-favourites.ts'
import { useShowView, useViews } from './use-views.ts'

const mostDevices = 6
const mostListed = 12

type Props = { onLines: (lines: readonly Line[]) => void }

/** Starting points while nothing is drawn: favourites, saved views, and a chart of each of some devices. */
export function ExploreStart({ onLines }: Props) {
  const t = useWords()
  const { favourites } = useFavourites()
  const { data: views = [] } = useViews()
  const showView = useShowView()
  const organization = useReach()
  const asked = { organization, page: 0, pageSize: mostDevices, orderBy: 'label' }
  const { data: devices } = useQuery(query(api.mappings.devices, { query: asked }))
  return (
    <div className={classes.start}>
      <p className={classes.dim}>{t('data-explore.nothingText')}</p>
      {favourites.length > 0 && (
        <section>
          <h2>{t('data-explore.favourites')}</h2>
          <ul className={classes.startCards}>
            {favourites.slice(0, mostListed).map((favourite) => (
              <FavouriteCard
                key={`${favourite.device}/${favourite.path}`}
                favourite={favourite}
                onOpen={() => onLines(withLine([], favourite))}
              />
            ))}
          </ul>
        </section>
      )}
      {views.length > 0 && (
        <section>
          <h2>{t('data-explore.views')}</h2>
          <ul className={classes.startCards}>
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
          <ul className={classes.startCards}>
            {devices.data.map(({ deviceId, label }) => (
              <DeviceCard key={deviceId} device={deviceId} label={label} onLines={onLines} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

type FavouriteProps = { favourite: Favourite; onOpen: () => void }

function FavouriteCard({ favourite: { device, path }, onOpen }: FavouriteProps) {
  const organization = useReach()
  const asked = { params: { id: device }, query: { organization } }
  const { data } = useQuery(query(api.mappings.device, asked))
  const { tags } = useTags(device, { live: false })
  // Gone, or no longer for this person.
  if (!data) return null
  return (
    <li>
      <button type="button" onClick={onOpen}>
        <strong>{data.value.label}</strong>
        <small>{tags.find((tag) => tag.path === path)?.name ?? shortPath(path)}</small>
      </button>
    </li>
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
