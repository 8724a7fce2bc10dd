import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { deviceQuery, useTags } from '../../parts/devices/devices.ts'
import { useLiveStatus } from '../../parts/live/live.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useSession } from '../../parts/session/session.ts'
import tree from './tree.module.css'
import type { Line } from './explore-url.ts'
import { Tree, TreeProvider } from './TreeBranch.tsx'
import { OrganizationItem } from './TreeOrganizations.tsx'
import { PathItem } from './TreePaths.tsx'
import { TreeResults } from './TreeResults.tsx'
import { useFavourites } from './use-favourites.ts'
import type { DeviceValue } from './use-kept-values.ts'

type Props = { lines: readonly Line[]; onChoose: (device: string, path: string) => void }

/** Organization, device, path: what can be drawn, with its newest value; children are read when they are opened. */
export function ValueTree({ lines, onChoose }: Props) {
  const t = useWords()
  const { organization } = useSession()
  const { favourites, has, toggle } = useFavourites()
  const [active, setActive] = useState(organization.resourceId)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 250)
  const places = usePlaces(lines)
  const state = {
    lines,
    places,
    active,
    setActive,
    onChoose,
    isFavourite: (device: string, path: string) => has({ device, path }),
    toggleFavourite: (favourite: DeviceValue) => void toggle(favourite),
  }
  return (
    <TreeProvider value={state}>
      <SearchField wide label={t('data-explore.search')} text={text} onText={setText} />
      {search === '' && favourites.length > 0 && (
        <section className={tree.place}>
          <h2>{t('data-explore.favourites')}</h2>
          <Tree label={t('data-explore.favourites')}>
            {favourites.map((favourite) => (
              <FavouriteItem key={`${favourite.device}/${favourite.path}`} {...favourite} />
            ))}
          </Tree>
        </section>
      )}
      {search === '' ? (
        <Tree label={t('data-explore.tree')}>
          <OrganizationItem organization={organization} level={1} first />
        </Tree>
      ) : (
        <TreeResults search={search} />
      )}
    </TreeProvider>
  )
}

/** The organizations of the devices that are drawn, and all above them. */
function usePlaces(lines: readonly Line[]) {
  const org = useReach()
  const devices = [...new Set(lines.map(({ device }) => device))]
  const details = useQueries({ queries: devices.map((id) => deviceQuery(org, id)) })
  const places = details.flatMap(({ data }) => (data ? above(data.value.orgResourceId) : []))
  return new Set(places)
}

const above = (resourceId: string): string[] =>
  resourceId.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.'))

function FavouriteItem({ device, path }: DeviceValue) {
  const { tags } = useTags(device, { maxHz: 1 })
  const connected = useLiveStatus()(device)?.connected
  const tag = tags.find((one) => one.path === path)
  // Gone from the model, or no longer for this person: nothing to draw.
  if (!tag) return null
  return <PathItem tag={tag} device={device} connected={connected} level={1} beside="★" />
}
