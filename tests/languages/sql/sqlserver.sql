CREATE TABLE [dbo].[Album]
(
    [AlbumId] INT NOT NULL IDENTITY (1, 1),
    [Title] NVARCHAR(160) NOT NULL,
    ArtistId INT NOT NULL,
    CONSTRAINT [PK_Album] PRIMARY KEY CLUSTERED ([AlbumId])
);
