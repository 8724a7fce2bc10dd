import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { StatusDot } from '@longreach/ui/StatusDot'
import { chartColors } from '@longreach/ui/TimeChart'
import { useWords } from '@longreach/ui/use-words'
import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBuildingFactory2, IconChevronRight, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { type TagWithValue, useTags } from '../../lib/devices.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useLiveStatus } from '../../lib/live.ts'
import { useSession } from '../../lib/session.ts'
import { isDrawable } from '../../lib/tags.ts'
import { TagName, TagValue } from '../../lib/TagValue.tsx'
import classes from './data-explore.module.css'
import type { Line } from './explore-url.ts'

type Props = { lines: readonly Line[]; onChoose: (device: string, path: string) => void }
const pageSize = 50

/** Organization, device, path: what can be drawn, with its newest value. Devices are read when they are opened. */
export function TagTree({ lines, onChoose }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useSession().organization.resourceId
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 250)
  const question = { organization: `${org}.*`, orderBy: 'name', ...(search !== '' && { search }) }
  const list = useInfiniteQuery({
    queryKey: [api.mappings.devices.key, 'tree', question],
    queryFn: ({ pageParam, signal }) =>
      api.mappings.devices({ query: { ...question, page: pageParam, pageSize } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.last ? undefined : page.number + 1),
    placeholderData: keepPreviousData,
  })
  const devices = list.data?.pages.flatMap(({ data }) => data) ?? []
  const places = [...new Set(devices.map(({ orgResourceId }) => orgResourceId))].toSorted()
  return (
    <>
      <TextInput
        type="search"
        data-filter
        aria-label={t('data-explore.search')}
        placeholder={t('data-explore.search')}
        leftSection={<IconSearch size={15} stroke={1.6} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {list.isPending && <RowsSkeleton rows={8} />}
      {list.error && <ErrorPanel {...errorText(list.error)} onRetry={() => void list.refetch()} />}
      {list.data && devices.length === 0 && (
        <EmptyState
          kind={search === '' ? 'nothing' : 'filtered'}
          title={search === '' ? t('data-explore.noDevices') : t('data-explore.notFound')}
        />
      )}
      {places.map((place) => (
        <section key={place} className={classes.place}>
          <h2>
            <IconBuildingFactory2 size={14} stroke={1.6} /> {place}
          </h2>
          <ul className={classes.tree}>
            {devices
              .filter(({ orgResourceId }) => orgResourceId === place)
              .map((device, index) => (
                <DeviceNode
                  key={device.deviceId}
                  device={device}
                  lines={lines}
                  start={places.length === 1 && index === 0 && lines.length === 0}
                  onChoose={onChoose}
                />
              ))}
          </ul>
        </section>
      ))}
      {list.hasNextPage && (
        <Button
          variant="default"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('data-explore.more')}
        </Button>
      )}
    </>
  )
}

type NodeProps = Props & {
  device: { deviceId: string; label: string; connected: boolean }
  /** Open at first. */
  start: boolean
}

function DeviceNode({ device, lines, start, onChoose }: NodeProps) {
  const t = useWords()
  const own = lines.filter((line) => line.device === device.deviceId)
  const [opened, setOpened] = useState(start || own.length > 0)
  const connected = useLiveStatus()(device.deviceId)?.connected ?? device.connected
  return (
    <li>
      <button
        type="button"
        className={classes.node}
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
      >
        <IconChevronRight size={14} className={classes.chevron} />
        <span className={classes.nodeName}>{device.label}</span>
        {own.length > 0 && <span className={classes.count}>{own.length}</span>}
        <StatusDot tone={connected ? 'ok' : 'off'}>
          <span className={classes.dim}>
            {connected ? t('data-explore.online') : t('data-explore.offline')}
          </span>
        </StatusDot>
      </button>
      {opened && (
        <Paths deviceId={device.deviceId} connected={connected} own={own} onChoose={onChoose} />
      )}
    </li>
  )
}

type PathsProps = {
  deviceId: string
  connected: boolean
  own: readonly Line[]
  onChoose: Props['onChoose']
}

function Paths({ deviceId, connected, own, onChoose }: PathsProps) {
  const t = useWords()
  const errorText = useErrorText()
  const { tags, pending, error, retry } = useTags(deviceId, { maxHz: 1 })
  if (pending) return <RowsSkeleton rows={4} />
  if (error) return <ErrorPanel {...errorText(error)} onRetry={retry} />
  if (tags.length === 0) return <p className={classes.dim}>{t('data-explore.noValues')}</p>
  return (
    <ul className={classes.paths}>
      {tags.map((tag) => (
        <PathNode
          key={tag.path}
          tag={tag}
          color={own.find(({ path }) => path === tag.path)?.color}
          connected={connected}
          onChoose={() => onChoose(deviceId, tag.path)}
        />
      ))}
    </ul>
  )
}

type PathProps = {
  tag: TagWithValue
  color: number | undefined
  connected: boolean
  onChoose: () => void
}

function PathNode({ tag, color, connected, onChoose }: PathProps) {
  const mark = color === undefined ? undefined : chartColors[color]
  return (
    <li>
      <button
        type="button"
        className={classes.path}
        aria-pressed={color !== undefined}
        disabled={!isDrawable(tag)}
        title={[tag.description, tag.path].filter(Boolean).join('\n')}
        onClick={onChoose}
      >
        <i style={mark ? { background: mark, borderColor: mark } : undefined} />
        <TagName tag={tag} />
        <span className={classes.pathValue}>
          <TagValue tag={tag} live={tag.last} connected={connected} />
          <small>
            <RelativeTime at={tag.last?.at} />
          </small>
        </span>
      </button>
    </li>
  )
}
