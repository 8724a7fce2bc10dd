import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { FormShell } from '@longreach/ui/FormShell'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, stale } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { Belongings } from './AddPersonDialog.tsx'
import { OpenInvitations } from './OpenInvitations.tsx'
import { type AccessRequest, peopleChanged, useAccessRequests, useOrg } from './people-calls.ts'
import shared from './permission.module.css'
import classes from './RequestsDialog.module.css'

/** The people who ask to be let in: each is let in with groups and roles, or declined. */
export function RequestsDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const { data, error, isPending, refetch } = useAccessRequests()
  const [letting, setLetting] = useState<number>()
  const [left, setLeft] = useState<number>()
  return (
    <Dialog size="lg" onClose={onClose} title={t('permission.requestsTitle')}>
      {isPending && <RowsSkeleton />}
      {error && <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />}
      {data?.total === 0 && <EmptyState kind="nothing" title={t('permission.noRequests')} />}
      <ul className={shared.requests}>
        {data?.content.map((request) => (
          <li key={request.id} className={shared.request}>
            <Who request={request} />
            {letting === request.id ? (
              <LetIn
                request={request}
                onClose={() => {
                  setLetting(undefined)
                  setLeft(request.id)
                }}
              />
            ) : (
              <Choice
                request={request}
                focused={left === request.id}
                onLetIn={() => setLetting(request.id)}
              />
            )}
          </li>
        ))}
      </ul>
      <OpenInvitations />
    </Dialog>
  )
}

function Who({ request }: { request: AccessRequest }) {
  const t = useWords()
  const { firstName, lastName, username, email, note, member, createdAt } = request
  const name = `${firstName} ${lastName}`.trim()
  const facts = [name === '' ? '' : username, email, member ? t('permission.requestMember') : '']
  return (
    <div>
      <Text fw={600}>{name || username}</Text>
      <Text size="sm" c="dimmed">
        {facts.filter((one) => one !== '').join(' · ')} · <RelativeTime at={createdAt} />
      </Text>
      {note !== '' && (
        <Text size="sm" mt={4} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {note}
        </Text>
      )}
    </div>
  )
}

const decided = () => Promise.all([stale(api.core.accessRequests), peopleChanged()])

type ChoiceProps = {
  request: AccessRequest
  /** Its form was open a moment ago. */
  focused: boolean
  onLetIn: () => void
}

function Choice({ request, focused, onLetIn }: ChoiceProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focused) button.current?.focus()
  }, [focused])
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const org = useOrg()
  const { id, username } = request
  const decline = useMutation({
    mutationFn: () => api.core.declineAccessRequest({ params: { org, request: id }, body: {} }),
    onSuccess: () => toast({ kind: 'done', message: t('permission.declined', { name: username }) }),
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
    // Also when another was first: the list is old then.
    onSettled: decided,
  })
  return (
    <div className={classes.requestChoice}>
      <Button
        size="xs"
        variant="default"
        ref={button}
        onClick={onLetIn}
        aria-label={`${t('permission.letIn')}: ${username}`}
      >
        {t('permission.letIn')}
      </Button>
      <Button
        size="xs"
        variant="default"
        loading={decline.isPending}
        aria-label={`${t('permission.decline')}: ${username}`}
        onClick={() => decline.mutate()}
      >
        {t('permission.decline')}
      </Button>
    </div>
  )
}

function LetIn({ request, onClose }: { request: AccessRequest; onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const org = useOrg()
  const { id, username } = request
  const [groups, setGroups] = useState<string[]>([])
  const [roles, setRoles] = useState<string[]>([])
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const accept = useMutation({
    mutationFn: () =>
      api.core.acceptAccessRequest({
        params: { org, request: id },
        body: { memberOf: groups.map(Number), rolesId: roles.map(Number) },
      }),
    onSuccess: async () => {
      toast({ kind: 'done', message: t('permission.accepted', { name: username }) })
      await decided()
    },
  })
  const failure = accept.error ? errorText(accept.error) : undefined
  const fields: Partial<Record<string, string>> = failure?.fields ?? {}
  const inField = fields['memberOf'] !== undefined || fields['rolesId'] !== undefined
  return (
    <FormShell
      verb={t('permission.letIn')}
      pending={accept.isPending}
      error={inField ? undefined : failure?.message}
      onCancel={onClose}
      onSubmit={() => accept.mutate()}
    >
      <div ref={form} style={{ display: 'contents' }}>
        <Belongings
          groups={groups}
          roles={roles}
          fields={fields}
          onGroups={setGroups}
          onRoles={setRoles}
        />
      </div>
    </FormShell>
  )
}
