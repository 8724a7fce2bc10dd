import { late } from '@longreach/ui/late'
import { DataTable } from '@longreach/ui/DataTable'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { SearchField } from '@longreach/ui/SearchField'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useIntl } from 'react-intl'
import { api } from '../../../parts/api/api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { watchJob } from '../../../parts/jobs/jobs.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { whenDone } from './bulk-watch.ts'
import { type Deleted, useTrashColumns } from './trash-columns.tsx'

const PurgeDialog = late(async () => ({ default: (await import('./PurgeDialog.tsx')).PurgeDialog }))
const RestoreDialog = late(async () => ({
  default: (await import('./RestoreDialog.tsx')).RestoreDialog,
}))

const noIds: ReadonlySet<string> = new Set()
const pageSize = 100

import { Breadcrumb } from '../../../parts/pages/Breadcrumb.tsx'
/** Deleted devices that can still be brought back, with everything they had. */
export function Component() {
  const t = useWords()
  const intl = useIntl()
  const [search, change] = useSearch()
  const text = one(search['q']) ?? ''
  const list = useDeleted(text)
  const { rows, total } = list
  const [checked, setChecked] = useState(noIds)
  const [acting, setActing] = useState<Acting>()
  const columns = useTrashColumns((kind, device) => setActing({ kind, device }))
  return (
    <Page>
      <PageHeader
        title={t('devices.trash')}
        count={total !== undefined && intl.formatNumber(total)}
        help={t('devices.trashHelp')}
        trail={<Breadcrumb to="/devices" section="devices" />}
      />
      <DataTable
        name="devices-trash"
        label={t('devices.trash')}
        columns={columns}
        rows={rows}
        rowId={(row) => row.deviceId}
        total={total}
        checked={checked}
        onChecked={setChecked}
        onMore={list.more}
        fetching={list.fetching}
        toolbar={
          <>
            <SearchField
              label={t('devices.search')}
              text={text}
              onText={(q) => void change({ q })}
            />
            {checked.size > 0 && (
              <RestoreMany ids={[...checked]} onStarted={() => setChecked(noIds)} />
            )}
          </>
        }
        empty={<Empty list={list} filtered={text !== ''} />}
      />
      {acting && (
        <Suspense fallback={null}>
          <ActingDialog {...acting} onClose={() => setActing(undefined)} />
        </Suspense>
      )}
    </Page>
  )
}

function useDeleted(text: string) {
  const organization = useReach()
  const asked = { organization, pageSize, ...(text !== '' && { search: text }) }
  const list = useInfiniteQuery({
    queryKey: [api.mappings.deletedDevices.key, asked],
    queryFn: ({ pageParam, signal }) =>
      api.mappings.deletedDevices({ query: { ...asked, page: pageParam } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.last ? undefined : page.number + 1),
    placeholderData: keepPreviousData,
  })
  return {
    rows: list.data?.pages.flatMap(({ data }) => data) ?? [],
    total: list.data?.pages[0]?.totalElements,
    more: () => {
      if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
    },
    fetching: list.isFetching && !list.isPending,
    pending: list.isPending,
    error: list.error,
    retry: () => void list.refetch(),
  }
}

type EmptyProps = {
  list: Pick<ReturnType<typeof useDeleted>, 'pending' | 'error' | 'retry'>
  filtered: boolean
}

function Empty({ list, filtered }: EmptyProps) {
  const t = useWords()
  const errorText = useErrorText()
  if (list.pending) return <RowsSkeleton />
  if (list.error) return <ErrorPanel {...errorText(list.error)} onRetry={list.retry} />
  return (
    <EmptyState
      kind={filtered ? 'filtered' : 'nothing'}
      title={filtered ? t('devices.notFound') : t('devices.trashEmpty')}
      text={filtered ? t('devices.notFoundText') : t('devices.trashEmptyText')}
      action={<BackButton />}
    />
  )
}

function BackButton() {
  const t = useWords()
  return (
    <Button variant="default" component={Link} to="/devices">
      {t('devices.backToList')}
    </Button>
  )
}

type Acting = { kind: 'restore' | 'purge'; device: Deleted }

const ActingDialog = ({ kind, ...rest }: Acting & { onClose: () => void }) =>
  kind === 'restore' ? <RestoreDialog {...rest} /> : <PurgeDialog {...rest} />

/** Brings many back as long work; those whose name is taken stay, and are told. */
function RestoreMany({ ids, onStarted }: { ids: string[]; onStarted: () => void }) {
  const t = useWords()
  const organization = useReach()
  const [pending, setPending] = useState(false)
  const run = async () => {
    setPending(true)
    const label = t('devices.restoreMany', { count: ids.length })
    const body = { action: { kind: 'restore' as const }, selection: { ids }, label }
    try {
      const { id } = await api.mappings.changeDevices({ query: { organization }, body })
      whenDone(id, organization.replace(/\.\*$/, ''))
      onStarted()
      await watchJob('mappings')
    } finally {
      setPending(false)
    }
  }
  return (
    <Button
      variant="default"
      loading={pending}
      leftSection={<IconArrowBackUp size={15} stroke={1.6} />}
      onClick={() => void run()}
    >
      {t('devices.restoreMany', { count: ids.length })}
    </Button>
  )
}
