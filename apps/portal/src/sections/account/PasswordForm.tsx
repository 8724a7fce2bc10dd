import { FormShell } from '@longreach/ui/FormShell'
import { Panel } from '@longreach/ui/PageHeader'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'
import { accountChanged, useAccount, useCredentials, wantsSignIn } from './account-calls.ts'
import classes from './account.module.css'
import { AccountFailure } from './SignInAgain.tsx'

const empty = { current: '', next: '', again: '' }
const nothingWrong = { message: undefined, fields: {} as Record<string, string> }

/** Changes the password with the present one; every other session ends. */
export function PasswordForm() {
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const account = useAccount()
  const hasOne = useCredentials().data?.some(({ type }) => type === 'password') ?? true
  const [typed, setTyped] = useState(empty)
  const [differ, setDiffer] = useState(false)
  const save = useMutation({
    mutationFn: () => account.changePassword(typed.current, typed.next),
    onSuccess: async () => {
      setTyped(empty)
      await accountChanged()
      toast({ message: t('account.passwordChanged') })
    },
  })
  const { message, fields } = save.error ? errorText(save.error) : nothingWrong
  const told = wantsSignIn(save.error) || Object.keys(fields).length > 0
  const field = (name: keyof typeof empty) => ({
    value: typed[name],
    visibilityToggleButtonProps: { 'aria-label': t('account.showPassword') },
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  })
  return (
    <Panel title={t('account.password')}>
      <div className={classes.form}>
        <FormShell
          verb={t('account.changePassword')}
          pending={save.isPending}
          error={told ? undefined : message}
          onSubmit={() => {
            setDiffer(typed.next !== typed.again)
            if (typed.next === typed.again) save.mutate()
          }}
        >
          {hasOne && (
            <PasswordInput
              label={t('account.currentPassword')}
              autoComplete="current-password"
              error={fields['currentPassword']}
              {...field('current')}
            />
          )}
          <div className={classes.two}>
            <PasswordInput
              label={t('account.newPassword')}
              autoComplete="new-password"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              description={t('account.passwordRule')}
              error={fields['newPassword']}
              {...field('next')}
            />
            <PasswordInput
              label={t('account.repeatPassword')}
              autoComplete="new-password"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              description={t('account.endsOthers')}
              error={differ && typed.next !== typed.again && t('account.passwordsDiffer')}
              {...field('again')}
            />
          </div>
          {wantsSignIn(save.error) && <AccountFailure error={save.error} />}
        </FormShell>
      </div>
    </Panel>
  )
}
