import { App, Validations } from 'aws-cdk-lib';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { AwsSolutionsChecks } from 'cdk-nag';
import { readDeployment } from './options.ts';
import { InvoiceServiceStack } from './stack.ts';

/** The CDK application: the stack that the options ask for, and the checks that every synthesis must pass. */
export function createApp(settings: { outdir?: string; context?: Record<string, unknown> } = {}): App {
  const app = new App({ ...settings, context: { ...recommendedFlags, ...settings.context } });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  new InvoiceServiceStack(app, readDeployment(app.node.getAllContext()));
  return app;
}
