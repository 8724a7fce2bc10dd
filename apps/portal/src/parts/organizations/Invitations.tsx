import { Panel } from '@longreach/ui/PageHeader'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { Alert, Button, Group, Text } from '@mantine/core'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { earlyCalls } from '../api/early-calls.ts'
import { useErrorText } from '../words/error-text.ts'
import { queries } from '../api/queries.ts'

type Invitation = Awaited<ReturnType<typeof earlyCalls.myInvitations>>[number]

/** The organizations that one is invited to join; nothing where there are none. */
export function Invitations() {
  // The selector stands before the portal, which has the queries.
  return (
    <QueryClientProvider client={queries}>
      <OpenInvitations />
    </QueryClientProvider>
  )
}

function OpenInvitations() {
  const t = useWords()
  const { data = [], refetch } = useQuery({
    queryKey: ['own-invitations'],
    queryFn: ({ signal }) => earlyCalls.myInvitations({}, { signal }),
  })
  if (data.length === 0) return null
  return (
    <Panel title={t('shell.invitations')}>
      <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {data.map((invitation) => (
          <li key={invitation.id}>
            <OneInvitation invitation={invitation} onAnswered={() => void refetch()} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

type Props = { invitation: Invitation; onAnswered: () => void }

function OneInvitation({ invitation, onAnswered }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const { id, organization, invitedBy, createdAt } = invitation
  const [pending, setPending] = useState<'accept' | 'decline'>()
  const [problem, setProblem] = useState<string>()
  const answer = async (how: 'accept' | 'decline') => {
    setPending(how)
    setProblem(undefined)
    try {
      const asked = { params: { invitation: id }, body: {} }
      if (how === 'decline') await earlyCalls.declineInvitation(asked)
      else {
        await earlyCalls.acceptInvitation(asked)
        // The session learns of its new organization by entering it.
        location.assign(`/?org=${encodeURIComponent(organization.resourceId)}`)
        return
      }
    } catch (cause) {
      setProblem(errorText(cause).message)
    }
    setPending(undefined)
    onAnswered()
  }
  const { label } = organization
  return (
    <Group justify="space-between" gap="sm" py={6}>
      <div style={{ minWidth: 0 }}>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {label}
        </Text>
        <Text size="sm" c="dimmed">
          {t('shell.invitedBy', { name: invitedBy })} <RelativeTime at={new Date(createdAt)} />
        </Text>
      </div>
      <Group gap="xs">
        <Button
          size="xs"
          loading={pending === 'accept'}
          disabled={pending === 'decline'}
          aria-label={`${t('shell.acceptInvitation')}: ${label}`}
          onClick={() => void answer('accept')}
        >
          {t('shell.acceptInvitation')}
        </Button>
        <Button
          size="xs"
          variant="default"
          loading={pending === 'decline'}
          disabled={pending === 'accept'}
          aria-label={`${t('shell.declineInvitation')}: ${label}`}
          onClick={() => void answer('decline')}
        >
          {t('shell.declineInvitation')}
        </Button>
      </Group>
      {problem !== undefined && (
        <Alert color="red" role="alert" w="100%">
          {problem}
        </Alert>
      )}
    </Group>
  )
}
