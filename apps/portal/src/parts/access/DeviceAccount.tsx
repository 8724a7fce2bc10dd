import { CopyText } from '@longreach/ui/CopyText'
import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query, stale } from '../api/api.ts'
import { useErrorText } from '../words/error-text.ts'
import { useMay } from '../session/session.ts'

/** The service account that acts for a device: make it, see its roles, take it away. */
export function DeviceAccount({ org, device }: { org: string; device: string }) {
  const t = useWords()
  const errorText = useErrorText()
  const may = useMay()
  const params = { org, device }
  const [removing, setRemoving] = useState(false)
  const found = useQuery(query(api.core.deviceAccount, { params }))
  const changed = () => stale(api.core.deviceAccount)
  const make = useMutation({
    mutationFn: () => api.core.createDeviceAccount({ params, body: {} }),
    onSuccess: changed,
  })
  const remove = useMutation({
    mutationFn: () => api.core.deleteDeviceAccount({ params }),
    onSuccess: async () => {
      setRemoving(false)
      make.reset()
      await changed()
    },
  })
  const account = found.data?.account
  const failed = found.error ?? make.error
  return (
    <section style={{ display: 'grid', gap: 10, marginTop: 16 }} aria-labelledby="device-account">
      <h3 id="device-account" style={{ margin: 0 }}>
        {t('access.account.title')}
      </h3>
      <Text c="dimmed">{t('access.account.help')}</Text>
      {failed && <ErrorPanel {...errorText(failed)} />}
      {make.data && (
        <>
          <Text c="var(--lr-warning)">{t('access.account.once')}</Text>
          <CopyText text={make.data.client} label={t('access.account.client')} />
          <CopyText text={make.data.clientSecret} label={t('access.account.secret')} />
        </>
      )}
      {account && (
        <Group gap="sm">
          <b>{account.username}</b>
          <span>{account.roles.join(', ')}</span>
          <Button
            variant="default"
            size="compact-sm"
            disabled={!may('users:delete')}
            onClick={() => setRemoving(true)}
          >
            {t('access.account.remove')}
          </Button>
        </Group>
      )}
      {account === null && (
        <Group>
          <Button
            variant="default"
            loading={make.isPending}
            disabled={!may('users:create') || !may('devices:update')}
            onClick={() => make.mutate()}
          >
            {t('access.account.make')}
          </Button>
          {!may('users:create') && <Text c="dimmed">{t('access.account.mayNot')}</Text>}
        </Group>
      )}
      {removing && account && (
        <ConfirmDialog
          title={t('access.account.removeTitle', { name: account.username })}
          danger
          verb={t('access.account.remove')}
          pending={remove.isPending}
          error={remove.error ? errorText(remove.error).message : undefined}
          onConfirm={() => remove.mutate()}
          onClose={() => setRemoving(false)}
        >
          {t('access.account.removeText')}
        </ConfirmDialog>
      )}
    </section>
  )
}
