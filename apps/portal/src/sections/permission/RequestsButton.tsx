import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { Badge, Button } from '@mantine/core'
import { useMay } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { useAccessRequests, useInvitations } from './people-calls.ts'

const RequestsDialog = late(() => import('./RequestsDialog.tsx'), 'RequestsDialog')

/** Button with the number of open access requests and invitations; absent when there are none. */
export function RequestsButton() {
  const may = useMay()('users:create')
  return may ? <Waiting /> : null
}

function Waiting() {
  const t = useWords()
  const [search, change] = useSearch()
  const asked = useAccessRequests().data?.total ?? 0
  const total = asked + (useInvitations().data?.length ?? 0)
  const open = one(search['requests']) === 'open'
  return (
    <>
      {total > 0 && (
        <Button
          variant="default"
          rightSection={<Badge circle={total < 10}>{total}</Badge>}
          onClick={() => void change({ requests: 'open' })}
        >
          {t('permission.requests')}
        </Button>
      )}
      {open && <RequestsDialog onClose={() => void change({ requests: undefined })} />}
    </>
  )
}
