import { late } from '@longreach/ui/late'
import { useToast } from '@longreach/ui/Toasts'
import { type MessageId, useWords } from '@longreach/ui/use-words'
import { Button, type ButtonProps } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { peopleChanged, type Person, personName, useOrg } from './people-calls.ts'

const HandoverDialog = late(() => import('./HandoverDialog.tsx'), 'HandoverDialog')

type Props = { person: Person; word: MessageId } & Pick<ButtonProps, 'size' | 'variant'>

/** Sends a new link for a password; the link is shown where no mail goes out. */
export function InviteButton({ person, word, size, variant = 'default' }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const org = useOrg()
  const invite = useMutation({
    mutationFn: async () => {
      const body = { passwordChangeInvitation: true }
      const { invitation } = await api.core.updateUser({ params: { org, user: person.id }, body })
      return invitation
    },
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
    onSuccess: async (invitation) => {
      if (invitation?.mailed) toast({ message: t('permission.mailed', { email: person.email }) })
      await peopleChanged()
    },
  })
  const link = invite.data?.link
  if (person.serviceAccount || !person.enabled) return null
  return (
    <>
      <Button
        variant={variant}
        {...(size !== undefined && { size })}
        loading={invite.isPending}
        onClick={() => invite.mutate()}
      >
        {t(word)}
      </Button>
      {link !== undefined && (
        <HandoverDialog
          text={t('permission.handOverText', { name: personName(person) })}
          items={[{ label: t('permission.link'), value: link }]}
          onClose={() => invite.reset()}
        />
      )}
    </>
  )
}
