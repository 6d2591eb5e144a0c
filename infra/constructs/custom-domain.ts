import { EndpointAccessMode, EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import type { CustomDomain } from '../options.ts';

/**
 * TLS 1.2 or newer, with forward secrecy, and only under the host name that the connection was opened for; a regional
 * API takes TLS 1.0 by default.
 */
export const transportSecurity = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.STRICT,
} as const;

/** Mounts the API at the root of a domain, and points the domain to it. */
export function addCustomDomain(api: RestApi, custom: CustomDomain): void {
  const { domainName, certificateArn, hostedZoneId, hostedZoneName: zoneName } = custom;
  const domain = api.addDomainName('CustomDomain', {
    domainName,
    certificate: Certificate.fromCertificateArn(api, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    ...transportSecurity,
  });
  new ARecord(api, 'Alias', {
    zone: HostedZone.fromHostedZoneAttributes(api, 'Zone', { hostedZoneId, zoneName }),
    recordName: domainName,
    target: RecordTarget.fromAlias(new ApiGatewayDomain(domain)),
  });
}
