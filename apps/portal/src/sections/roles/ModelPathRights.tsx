import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Autocomplete, Button, Checkbox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { useSession } from '../../parts/session/session.ts'
import type { Editing } from './RoleFacts.tsx'
import classes from './roles.module.css'

const rights = ['read', 'history', 'write'] as const

/** Limits what the role gives on devices to some paths of their models. */
export function ModelPathRights({ draft, locked, onEdit }: Editing) {
  const t = useWords()
  const rows = draft.modelPathPermissions
  const off = locked !== undefined
  const change = (path: string, patch: Partial<(typeof rows)[number]>) =>
    onEdit({
      modelPathPermissions: rows.map((row) =>
        row.modelPath.path === path ? { ...row, ...patch } : row,
      ),
    })
  const remove = (path: string) =>
    onEdit({ modelPathPermissions: rows.filter((row) => row.modelPath.path !== path) })
  const add = (path: string) => {
    if (path === '' || rows.some((row) => row.modelPath.path === path)) return
    // The server gives the path its id and its other form when the role is saved.
    const modelPath = { id: 0, mode: 'EXACT' as const, path, pathRegExp: '' }
    onEdit({
      modelPathPermissions: [...rows, { modelPath, read: true, history: true, write: false }],
    })
  }
  return (
    <Panel title={t('roles.modelPaths')}>
      <p className={classes.text}>
        {t(rows.length === 0 ? 'roles.modelPathsNone' : 'roles.modelPathsSome')}
      </p>
      {rows.map((row) => {
        const { path } = row.modelPath
        return (
          <div key={path} className={classes.limited} role="group" aria-label={path}>
            <code className={classes.limitedName}>{path}</code>
            <div className={classes.ticks}>
              {rights.map((right) => (
                <Checkbox
                  key={right}
                  label={t(`access.right.${right}`)}
                  checked={row[right]}
                  disabled={off}
                  onChange={(event) => change(path, { [right]: event.currentTarget.checked })}
                />
              ))}
            </div>
            {!off && (
              <ActionIcon
                aria-label={t('roles.remove', { name: path })}
                onClick={() => remove(path)}
              >
                <IconTrash size={16} stroke={1.6} />
              </ActionIcon>
            )}
          </div>
        )
      })}
      {!off && <AddPath onAdd={add} />}
    </Panel>
  )
}

/** A path is typed, or picked from those of the organization's models. */
function AddPath({ onAdd }: { onAdd: (path: string) => void }) {
  const t = useWords()
  const { organization } = useSession()
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text, 200)
  const found = useQuery({
    ...query(api.mappings.searchModelPaths, {
      query: { organization: organization.resourceId },
      body: { data: `path ~= ${JSON.stringify(asked)}`, pageSize: 20 },
    }),
    enabled: asked.trim() !== '' && organization.dataEnabled,
  })
  const add = () => {
    onAdd(text.trim())
    setText('')
  }
  return (
    <form
      className={classes.add}
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <Autocomplete
        aria-label={t('roles.modelPath')}
        placeholder={t('roles.modelPathExample')}
        data={[...new Set(found.data?.data.map(({ model, path }) => `${model}/${path}`) ?? [])]}
        filter={({ options }) => options}
        value={text}
        maxLength={500}
        onChange={setText}
      />
      <Button type="submit" variant="default" leftSection={<IconPlus size={15} stroke={1.8} />}>
        {t('roles.add')}
      </Button>
    </form>
  )
}
