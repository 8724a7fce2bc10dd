import { contentPage, type Endpoint, paging } from '@longreach/kit/contract'
import { z } from 'zod'

/** One organization as a line of the tree. */
const TreeNode = z.object({
  id: z.int(),
  name: z.string(),
  label: z.string(),
  resourceId: z.string(),
  dataEnabled: z.boolean(),
  vpnEnabled: z.boolean(),
  dealer: z.boolean(),
  privateAccess: z.boolean(),
  userCanAccess: z.boolean(),
  /** Number of organizations directly below it. */
  children: z.int(),
  /** Labels of the organizations from the one asked about down to this one, without it. */
  path: z.array(z.string()),
})
type TreeNode = z.output<typeof TreeNode>

export const treeEndpoints = {
  /** A part of the tree: the organizations directly below one, or by a text those anywhere below. */
  tree: {
    method: 'GET',
    path: '/organizations/:org/tree',
    access: 'member',
    apiKeys: 'organizations:read',
    params: z.object({ org: z.string() }),
    query: z.object({
      ...paging(100, 500),
      /** resourceId of the organization whose children are wanted; the one of the path when absent. */
      at: z.string().max(500).optional(),
      /** Part of the label, the name or the resourceId. */
      search: z.string().trim().max(255).optional(),
    }),
    result: contentPage(TreeNode),
  },
} as const satisfies Record<string, Endpoint>
