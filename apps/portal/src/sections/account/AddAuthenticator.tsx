import { CopyText } from '@longreach/ui/CopyText'
import { FormShell } from '@longreach/ui/FormShell'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'
import { accountChanged, useAccount, wantsSignIn } from './account-calls.ts'
import classes from './account.module.css'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { AccountFailure } from './SignInAgain.tsx'

/** Sets up an authenticator program: its picture, the first code, and recovery codes if there were none. */
export function AddAuthenticator({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const account = useAccount()
  const toast = useToast()
  const [codes, setCodes] = useState<readonly string[]>()
  const begun = useQuery({
    queryKey: ['account', 'totp', 'begun'],
    queryFn: account.startTotp,
    staleTime: Infinity,
    gcTime: 0,
  })
  const added = async (recoveryCodes: readonly string[] | undefined) => {
    await accountChanged()
    toast({ message: t('account.authenticatorAdded') })
    if (recoveryCodes && recoveryCodes.length > 0) setCodes(recoveryCodes)
    else onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      closeOnClickOutside={false}
      title={t(codes ? 'account.factor.recovery-authn-codes' : 'account.addAuthenticator')}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : begun.error ? (
        <AccountFailure error={begun.error} />
      ) : begun.data ? (
        <Confirm {...begun.data} onAdded={added} onClose={onClose} />
      ) : (
        <RowsSkeleton rows={5} />
      )}
    </Dialog>
  )
}

type ConfirmProps = {
  secret: string
  qr: string
  onAdded: (codes: readonly string[] | undefined) => Promise<void>
  onClose: () => void
}

function Confirm({ secret, qr, onAdded, onClose }: ConfirmProps) {
  const t = useWords()
  const errorText = useErrorText()
  const account = useAccount()
  const [code, setCode] = useState('')
  const [label, setLabel] = useState('')
  const confirm = useMutation({
    mutationFn: () => account.confirmTotp(code.replaceAll(/\s/g, ''), label.trim()),
    onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes),
  })
  const failure = confirm.error ? errorText(confirm.error) : undefined
  const atCode = failure?.fields['code']
  return (
    <FormShell
      verb={t('account.confirm')}
      pending={confirm.isPending}
      error={atCode !== undefined || wantsSignIn(confirm.error) ? undefined : failure?.message}
      onCancel={onClose}
      onSubmit={() => confirm.mutate()}
    >
      <p style={{ margin: 0 }}>{t('account.scan')}</p>
      <div className={classes.qr}>
        <img
          src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
          width={184}
          height={184}
          alt={t('account.qr')}
        />
      </div>
      <div className={classes.dim}>
        {t('account.orType')} <CopyText text={secret} label={t('account.secret')} />
      </div>
      <TextInput
        data-autofocus
        label={t('account.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        value={code}
        error={atCode}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <TextInput
        label={t('account.factorLabel')}
        placeholder={t('account.authenticatorExample')}
        maxLength={100}
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      {wantsSignIn(confirm.error) && <AccountFailure error={confirm.error} />}
    </FormShell>
  )
}
