import { CopyText } from '@longreach/ui/CopyText'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { FormShell } from '@longreach/ui/FormShell'
import { Panel } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'
import { Invitations } from '../../parts/organizations/Invitations.tsx'
import { accountChanged, type Profile, useAccount, wantsSignIn } from './account-calls.ts'
import classes from './account.module.css'
import { MyRights } from './MyRights.tsx'
import { AccountFailure } from './SignInAgain.tsx'

/** Name and address, and what one may do in the organization of now. */
export function ProfileTab() {
  const t = useWords()
  const errorText = useErrorText()
  const profile = useQuery(useAccount().profile)
  if (profile.error)
    return <ErrorPanel {...errorText(profile.error)} onRetry={() => void profile.refetch()} />
  return (
    <>
      <Invitations />
      <Panel title={t('account.tab.profile')}>
        <div className={classes.form}>
          {profile.data ? <ProfileForm profile={profile.data} /> : <RowsSkeleton rows={4} />}
        </div>
      </Panel>
      <MyRights />
    </>
  )
}

function ProfileForm({ profile }: { profile: Profile }) {
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const account = useAccount()
  const [typed, setTyped] = useState<Partial<Profile>>({})
  const { firstName, lastName, email } = { ...profile, ...typed }
  const save = useMutation({
    mutationFn: () => account.saveProfile({ firstName, lastName, email: email.trim() }),
    onSuccess: async ({ pendingEmail }) => {
      await accountChanged()
      setTyped({})
      const mailed = pendingEmail !== undefined
      toast({ message: mailed ? t('account.mailed', { email: pendingEmail }) : t('account.saved') })
    },
  })
  const failure = save.error ? errorText(save.error) : undefined
  const atField = Object.keys(failure?.fields ?? {}).length > 0
  const field = (name: 'firstName' | 'lastName' | 'email') => ({
    value: { firstName, lastName, email }[name],
    maxLength: 255,
    error: failure?.fields[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  })
  return (
    <FormShell
      verb={t('account.save')}
      pending={save.isPending}
      error={atField || wantsSignIn(save.error) ? undefined : failure?.message}
      onSubmit={() => save.mutate()}
    >
      <div className={classes.two}>
        <TextInput
          label={t('account.firstName')}
          autoComplete="given-name"
          {...field('firstName')}
        />
        <TextInput
          label={t('account.lastName')}
          autoComplete="family-name"
          {...field('lastName')}
        />
        <TextInput
          label={t('account.email')}
          type="email"
          autoComplete="email"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={t(profile.emailVerified ? 'account.emailProven' : 'account.emailHelp')}
          {...field('email')}
        />
        <div>
          <span style={{ fontWeight: 500 }}>{t('account.username')}</span>
          <div>
            <CopyText text={profile.username} label={t('account.username')} />
          </div>
        </div>
      </div>
      {wantsSignIn(save.error) && <AccountFailure error={save.error} />}
    </FormShell>
  )
}
