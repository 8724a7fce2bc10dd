import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { type Person, useOrg } from './people-calls.ts'

/** Leaves for the page that asks, and signs the administrator in as this person. */
export function ActAs({ person }: { person: Person }) {
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const org = useOrg()
  const may = useMay()
  const { subject, impersonator } = useSession()
  const act = useMutation({
    mutationFn: () => api.core.impersonateUser({ params: { org, user: person.id } }),
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const possible = person.enabled && !person.serviceAccount && person.sub !== subject
  if (!possible || impersonator !== undefined || !may('users:update')) return null
  return (
    <Button variant="default" loading={act.isPending || act.isSuccess} onClick={() => act.mutate()}>
      {t('permission.actAs')}
    </Button>
  )
}
