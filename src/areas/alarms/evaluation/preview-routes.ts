import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { previewPolicy } from './preview.ts'
import { Preview, PreviewRequest } from './preview-schema.ts'

/** Below /api/alarms: the dry run of a policy. */
export function policyPreviewRoutes(app: App): void {
  const { clock } = app.deps

  app.post(
    '/preview',
    {
      ...needs('read:alarm'),
      schema: {
        tags: ['alarms'],
        operationId: 'previewAlarmPolicy',
        summary: 'Simulate a policy on the last days',
        body: PreviewRequest,
        response: { 200: Preview },
      },
    },
    (request) => previewPolicy(request.tenantDb(), request.body, clock.now()),
  )
}
