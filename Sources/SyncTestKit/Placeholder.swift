// SyncTestKit
