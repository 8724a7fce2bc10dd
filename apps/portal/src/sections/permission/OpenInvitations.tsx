import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, stale } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useInvitations, useOrg } from './people-calls.ts'
import classes from './permission.module.css'

/** Invitations without a reply to people with an account; each can be withdrawn. */
export function OpenInvitations() {
  const t = useWords()
  const { data = [] } = useInvitations()
  if (data.length === 0) return null
  return (
    <section>
      <Title order={3} size="h5" mt="md">
        {t('permission.openInvitations')}
      </Title>
      <ul className={classes.requests}>
        {data.map(({ id, username, invitedBy, createdAt }) => (
          <li key={id} className={classes.request}>
            <div>
              <Text fw={600}>{username}</Text>
              <Text size="sm" c="dimmed">
                {t('permission.invitedBy', { name: invitedBy })} <RelativeTime at={createdAt} />
              </Text>
            </div>
            <Withdraw id={id} username={username} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Withdraw({ id, username }: { id: number; username: string }) {
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const org = useOrg()
  const withdraw = useMutation({
    mutationFn: () => api.core.withdrawInvitation({ params: { org, invitation: id } }),
    onSuccess: () =>
      toast({ kind: 'done', message: t('permission.withdrawn', { name: username }) }),
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
    onSettled: () => stale(api.core.invitations),
  })
  return (
    <Button
      size="xs"
      variant="default"
      loading={withdraw.isPending}
      aria-label={`${t('permission.withdraw')}: ${username}`}
      onClick={() => withdraw.mutate()}
    >
      {t('permission.withdraw')}
    </Button>
  )
}
